import { expect, onTestFinished, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { headOf } from '../../test/support/head-of.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createPuller, signalbox, userAgentId } from '../agents/agent.ts';
import { describeWait } from '../messages/describe-wait.ts';
import type { Message, MessageDraft } from '../messages/message.ts';
import type { Clock } from '../shared/clock.ts';
import { openDelivery } from './open-delivery.ts';
import type { NativeWay } from './recipient.ts';

const worker = 'agt_worker';
const other = 'agt_other';

/**
 * An agent at rest whose every turn ends at once, and two that write to it; on a clock whose sleeps
 * never end.
 */
async function open(limits: { readonly wakes: number; readonly scripts?: number }) {
  const fake = await FakeDelivery.open();
  for (const id of [worker, other]) {
    const name = id.slice('agt_'.length);
    const row = { ...createPuller(id, fake.clock.now()), name, session: 'default' };
    await fake.ledger.write((tx) => tx.agents.insert({ ...row, notify: false, cwd: '/srv/app' }));
  }
  const clock: Clock = {
    now: () => fake.clock.now(),
    monotonicMs: () => fake.clock.monotonicMs(),
    sleep: (_, signal) =>
      new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  };
  const delivery = openDelivery({
    ...fake.parts,
    surroundings: { ...fake.parts.surroundings, clock },
    limits: { ...fake.parts.limits, ...limits },
  });
  onTestFinished(() => delivery.close());
  const texts: string[] = [];
  const native: NativeWay = {
    blocked: () => undefined,
    inject: async ({ text, begin }) => {
      if (!(await begin())) return { outcome: 'refused', reason: 'not begun' };
      texts.push(text);
      return { outcome: 'taken' };
    },
    close: () => undefined,
  };
  delivery.attach(fake.recipient({ native, ways: { provable: [] } }));
  const send = async (draft: Partial<MessageDraft> = {}) => {
    const message = await fake.send(draft);
    delivery.look(agent);
    return message;
  };
  const read = async (draft: Partial<MessageDraft> = {}) => {
    const sent = await send(draft);
    await waitFor(() => expect(texts.at(-1)).toContain(headOf(sent)));
  };
  const isHeld = () => waitFor(() => expect(delivery.waitsFor(agent)?.code).toBe('budget-spent'));
  return { fake, delivery, texts, send, read, isHeld };
}

test('rule 21: however much the user wrote, an agent’s message is not held for it', async () => {
  const { read, fake } = await open({ wakes: 1 });
  for (let n = 0; n < 5; n++) await read();
  await read({ from: worker });
  expect(await fake.ledger.read((tx) => tx.turns.findBudget(agent, 'wakes'))).toMatchObject({
    used: 1,
  });
});

test('rule 21: a spent budget holds what agents send; the user’s goes, and they go along with it, in order', async () => {
  const { fake, delivery, texts, send, read, isHeld } = await open({ wakes: 1 });
  await read({ from: worker });
  const first = await send({ from: worker });
  await isHeld();
  const wait = delivery.waitsFor(agent);
  expect(wait && describeWait(wait)).toMatch(
    /^its wake budget \(1 turns an hour\) is spent; it goes at \d\d:\d\d$/,
  );
  const second = await send({ from: userAgentId });
  await waitFor(() => expect(texts).toHaveLength(2));
  const at = (message: Message) => texts[1]?.indexOf(headOf(message)) ?? -1;
  expect(at(first)).toBeGreaterThan(0);
  expect(at(second)).toBeGreaterThan(at(first));
  expect((await fake.find(first.id)).state).toBe('injected');
  // It counts, since something in it does.
  const budget = await fake.ledger.read((tx) => tx.turns.findBudget(agent, 'wakes'));
  expect(budget?.used).toBe(2);
});

test('rules 15, 21: the user’s message behind more than a batch of held ones overtakes them', async () => {
  const { fake, delivery, texts, send, read, isHeld } = await open({ wakes: 1 });
  await read({ from: worker });
  const held = [];
  for (let n = 0; n < 4; n++) held.push(await send({ from: worker, body: 'x'.repeat(3000) }));
  await isHeld();
  const mine = await send();
  await waitFor(() => expect(texts).toHaveLength(2));
  expect(texts[1]).toContain(headOf(mine));
  for (const { id } of held) expect((await fake.find(id)).state).toBe('queued');
  const budget = await fake.ledger.read((tx) => tx.turns.findBudget(agent, 'wakes'));
  expect(budget?.used).toBe(1);
  delivery.look(agent);
  await isHeld();
});

test('rule 21: the answer to a task of its own is never held', async () => {
  const { fake, send, read, isHeld } = await open({ wakes: 1 });
  const task = await fake.send({ kind: 'task', from: agent, to: worker });
  await read({ from: worker });
  await send({ from: worker });
  await isHeld();
  await read({ from: worker, replyTo: [task.id] });
});

test('rule 21: a script of the user is held by its own budget alone, and holds no agent’s message', async () => {
  const { send, read, isHeld, delivery } = await open({ wakes: 5, scripts: 1 });
  await read({ isScript: true });
  await send({ isScript: true });
  await isHeld();
  const expected = { code: 'budget-spent', budget: 'scripts', limit: 1 };
  expect(delivery.waitsFor(agent)).toMatchObject(expected);
  await read({ from: worker });
});

test('rule 21: a sender is told once per hold, by signalbox, without a wake', async () => {
  const { fake, send, read, isHeld } = await open({ wakes: 1 });
  await read({ from: worker });
  const first = await send({ from: worker });
  await isHeld();
  const inbox = (to: string) =>
    fake.ledger.read((tx) => tx.messages.list({ to, states: ['queued'], limit: 9 }));
  await waitFor(async () => expect(await inbox(worker)).toHaveLength(1));
  const [notice] = await inbox(worker);
  expect(notice).toMatchObject({ kind: 'notice', from: signalbox.id, isQuiet: true });
  const words = `Your message ${first.id} to lead is held back`;
  expect(notice?.body).toMatch(new RegExp(`^${words}.*it goes at`));
  await send({ from: worker });
  await send({ from: other });
  await waitFor(async () => expect(await inbox(other)).toHaveLength(1));
  expect(await inbox(worker)).toHaveLength(1);
});
