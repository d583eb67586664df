import { expect, onTestFinished, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createPuller } from '../agents/agent.ts';
import { Gathering } from './gather.ts';
import { openDelivery } from './open-delivery.ts';
import type { NativeWay } from './recipient.ts';

test('rule 21: answers are waited for until none came for 40 ms', () => {
  const gathering = new Gathering();
  expect(gathering.waitMs(1, 1000)).toBe(40);
  expect(gathering.waitMs(1, 1030)).toBe(10);
  expect(gathering.waitMs(4, 1035)).toBe(40);
  expect(gathering.waitMs(4, 1075)).toBe(0);
  // The next ones begin anew.
  expect(gathering.waitMs(1, 1080)).toBe(40);
});

test('rule 21: no answer waits for others longer than 200 ms, however they trickle in', () => {
  const gathering = new Gathering();
  for (let n = 1; n <= 6; n++) expect(gathering.waitMs(n, 970 + n * 30)).toBeGreaterThan(0);
  expect(gathering.waitMs(7, 1180)).toBe(20);
  expect(gathering.waitMs(8, 1200)).toBe(0);
});

test('rule 21: the last answer, and whatever is no answer, waits for nothing', () => {
  const gathering = new Gathering();
  expect(gathering.waitMs(undefined, 1000)).toBe(0);
  expect(gathering.waitMs(19, 1000)).toBe(40);
  expect(gathering.waitMs(undefined, 1010)).toBe(0);
  expect(gathering.waitMs(1, 1020)).toBe(40);
});

/**
 * The real engine, an agent at rest that is owed three answers, and time that passes only when a
 * test says so.
 */
async function open() {
  const fake = await FakeDelivery.open();
  const clock = new ManualClock();
  clock.wallMs = fake.clock.wallMs;
  clock.bootMs = fake.clock.bootMs;
  const surroundings = { ...fake.parts.surroundings, clock };
  const delivery = openDelivery({ ...fake.parts, surroundings });
  onTestFinished(() => delivery.close());
  const worker = 'agt_2';
  const row = { ...createPuller(worker, clock.now()), name: 'b', session: 's', cwd: '/srv/app' };
  await fake.ledger.write((tx) => tx.agents.insert({ ...row, notify: false }));
  const tasks: string[] = [];
  for (let i = 0; i < 3; i++) {
    tasks.push((await fake.send({ kind: 'task', from: agent, to: worker })).id);
  }
  const texts: string[] = [];
  const native: NativeWay = {
    blocked: () => undefined,
    inject: async ({ text, begin }) => {
      if (!(await begin())) return { outcome: 'refused', reason: 'too late' };
      texts.push(text);
      return { outcome: 'taken' };
    },
    close: () => undefined,
  };
  delivery.attach(fake.recipient({ native, ways: { provable: [] } }));
  const answer = async (i: number): Promise<void> => {
    await fake.send({ from: worker, body: `answer ${i}`, replyTo: [tasks[i] ?? ''] });
    delivery.look(agent);
    await settled();
  };
  return { fake, clock, delivery, answer, texts };
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
}

test('rule 21: answers of workers that are done at once are one wake, and the last one waits for nobody', async () => {
  const { fake, clock, delivery, answer, texts } = await open();
  await answer(0);
  expect(delivery.waitsFor(agent)).toEqual({ code: 'gathering' });
  await clock.pass(30);
  await answer(1);
  await clock.pass(30);
  await settled();
  expect(texts).toEqual([]);
  await answer(2);
  await waitFor(() => expect(texts).toHaveLength(1));
  for (let i = 0; i < 3; i++) expect(texts[0]).toContain(`answer ${i}`);
  // They answer tasks of its own, and are not counted.
  expect(await fake.ledger.read((tx) => tx.turns.findBudget(agent, 'wakes'))).toBeUndefined();
});

test('rule 21: an answer waits only for a moment for those that are still owed', async () => {
  const { clock, answer, texts } = await open();
  await answer(0);
  expect(texts).toEqual([]);
  await clock.pass(40);
  await waitFor(() => expect(texts).toHaveLength(1));
});

test('rule 21: what is no answer is not delayed, and takes the answers with it', async () => {
  const { fake, delivery, answer, texts } = await open();
  await answer(0);
  await fake.send({ body: 'from the user' });
  delivery.look(agent);
  await waitFor(() => expect(texts).toHaveLength(1));
  expect(texts[0]).toMatch(/answer 0[\s\S]*from the user/);
});
