import { expect, test } from 'vitest';
import { agentOf, ago, messageOf, worldOf } from '../../test/support/page-world.ts';
import type { FeedItem } from '../protocol/page.ts';
import { takeItems, type World } from './world.ts';

test('what the feed tells takes the place of what the snapshot said, and the old world stays as it was', () => {
  const world = worldOf({ agents: [agentOf('lead')], messages: [messageOf('1')] });
  const after = take(world, [
    { kind: 'agent', cursor: 11, agent: agentOf('lead', { status: 'waiting' }) },
    { kind: 'agent', cursor: 11, agent: agentOf('worker') },
    { kind: 'message', cursor: 12, message: messageOf('1', { state: 'acked', cursor: 12 }) },
    { kind: 'attention', cursor: 12, attention: { items: [needs('lead')] } },
  ]);
  expect([...after.agents.values()].map(({ name, status }) => [name, status])).toEqual([
    ['lead', 'waiting'],
    ['worker', 'idle'],
  ]);
  expect(after.messages.get('msg_1')?.state).toBe('acked');
  expect(after.attention).toHaveLength(1);
  expect(after.cursor).toBe(12);
  expect(world.messages.get('msg_1')?.state).toBe('seen');
  expect(world.cursor).toBe(10);
});

test('an agent that was removed is gone', () => {
  const world = worldOf({ agents: [agentOf('lead'), agentOf('worker')] });
  const after = take(world, [{ kind: 'agent-gone', cursor: 11, id: 'agt_lead' }]);
  expect([...after.agents.keys()]).toEqual(['agt_worker']);
});

test('what comes again after a reconnect, older than what is known, changes nothing', () => {
  const world = worldOf({ messages: [messageOf('1', { state: 'acked', cursor: 9 })] });
  const old = messageOf('1', { state: 'queued', cursor: 4 });
  expect(
    take(world, [{ kind: 'message', cursor: 9, message: old }]).messages.get('msg_1')?.state,
  ).toBe('acked');
});

test('behind a gap nothing is known: only a new snapshot tells', () => {
  const world = worldOf();
  expect(
    takeItems(world, [{ kind: 'agent', cursor: 11, agent: agentOf('lead') }, { kind: 'gap' }]),
  ).toBe(undefined);
});

test('no news is the same world, so that nothing is drawn again', () => {
  const world = worldOf();
  expect(take(world, [])).toBe(world);
});

test('a page that stays open keeps 10,000 messages, and every open one however old', () => {
  const open = messageOf('open', { state: 'queued', cursor: 0, createdAt: ago(90_000) });
  const items = Array.from({ length: 15_000 }, (_, i): FeedItem => {
    const message = messageOf(String(i), { cursor: 100 + i });
    return { kind: 'message', cursor: 100 + i, message };
  });
  const after = take(worldOf({ messages: [open] }), items);
  expect(after.messages.size).toBe(10_000);
  expect(after.messages.has('msg_open')).toBe(true);
  expect(after.messages.has('msg_0')).toBe(false);
  expect(after.messages.has('msg_14999')).toBe(true);
});

function take(world: World, items: readonly FeedItem[]): World {
  const after = takeItems(world, items);
  if (!after) throw new Error('there was no gap');
  return after;
}

function needs(name: string) {
  const agent = { id: `agt_${name}`, name, session: 'shop' };
  return { kind: 'question', agent, since: ago(1), text: 'run ls?', next: 'x' } as const;
}
