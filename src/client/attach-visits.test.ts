import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { noteVisit, orderNext, readVisits } from './attach-visits.ts';

const lead = { id: 'agt_lead', since: 100 };
const ada = { id: 'agt_ada', since: 200 };
const bob = { id: 'agt_bob', since: 300 };
const waiting = [bob, lead, ada];

test('the agent that waits longest is next, and the others follow, however often nobody answers', () => {
  const folder = tempHome();
  const folders = { config: folder, state: folder };
  const order: string[] = [];
  for (let now = 1000; now < 1005; now++) {
    const [next] = orderNext(waiting, readVisits(folders));
    order.push(next?.id ?? '');
    noteVisit(folders, next?.id ?? '', { now, waiting });
  }
  expect(order).toEqual(['agt_lead', 'agt_ada', 'agt_bob', 'agt_lead', 'agt_ada']);
});

test('a question that came after the last look is a new one', () => {
  const visits = { agt_lead: 400, agt_ada: 150, agt_bob: 350 };
  expect(orderNext(waiting, visits)).toEqual([ada, bob, lead]);
});

test('nobody is next where nobody waits', () => {
  expect(orderNext([], { agt_lead: 400 })).toEqual([]);
});

test('a note of somebody who waits no longer is dropped', () => {
  const folder = tempHome();
  const folders = { config: folder, state: folder };
  noteVisit(folders, 'agt_gone', { now: 1, waiting: [] });
  noteVisit(folders, 'agt_lead', { now: 2, waiting });
  expect(readVisits(folders)).toEqual({ agt_lead: 2 });
});

test.each(['', '[]', '{"agt_lead":"then"}', '{'])('a file with %j is no note', (text) => {
  const folder = tempHome();
  writeFileSync(join(folder, 'attached.json'), text);
  expect(readVisits({ config: folder, state: folder })).toEqual({});
});

test('a state folder that cannot be written keeps nobody from an agent', () => {
  const folders = { config: '/nowhere', state: '/nowhere/state' };
  expect(() => noteVisit(folders, 'agt_lead', { now: 1, waiting })).not.toThrow();
});
