import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../test/fakes/delivery.ts';
import { signalbox, userAgentId } from '../agents/agent.ts';
import { endTurnIn } from '../fleet/end-turn.ts';
import type { Message } from '../messages/message.ts';
import type { Evidence, Finding } from '../providers/way-in.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { acknowledge } from './acknowledge.ts';
import { commit, pack } from './deliver.ts';
import { prove } from './prove.ts';
import { remindDebtor } from './remind-debtor.ts';

/** A worker at rest that has read a task; its turn ended without a word. */
async function indebted() {
  const fake = await FakeDelivery.open();
  let humanKeyAt = Number.NEGATIVE_INFINITY;
  const atRestSince = fake.clock.monotonicMs();
  const view = () => ({ status: 'completed', composer: 'empty', atRestSince, humanKeyAt }) as const;
  const recipient = fake.recipient({ view });
  const { id: task } = await fake.send({ kind: 'task' });
  await commit(fake.parts, await fake.pack('turn-boundary', recipient), 'in');
  const stop = {
    child: fakeAgentId,
    epoch: 1,
    session: 's',
    id: 't1',
    outcome: 'completed',
  } as const;
  await fake.ledger.write((tx) => endTurnIn(tx, fake.clock.now(), stop));
  const inbox = (to: string): Promise<readonly Message[]> =>
    fake.ledger.read((tx) => tx.messages.list({ to, states: ['queued'], limit: 9 }));
  return {
    fake,
    task,
    recipient,
    look: () => remindDebtor(fake.parts, recipient),
    type: () => {
      humanKeyAt = fake.clock.monotonicMs();
    },
    reminders: async () => (await inbox(fakeAgentId)).filter(({ kind }) => kind === 'notice'),
    told: async () => (await inbox(userAgentId)).filter(({ kind }) => kind === 'notice'),
    read: async () => {
      const waiting = await inbox(fakeAgentId);
      const ids = waiting.map(({ id }) => id);
      await fake.ledger.write((tx) =>
        acknowledge(tx, fake.clock.now(), ids, { code: 'acked', cause: 'read' }),
      );
    },
  };
}

test('rule 30: a reminder in a conversation that does not know the task has its text', async () => {
  const { fake, look, reminders, recipient } = await indebted();
  const life = { backend: 'fake', provider: 'fake', argv: [], extraArgs: [], tokenHash: '' };
  const now = { agent: fakeAgentId, epoch: 1, startedAt: 1, conversation: 'after-new' };
  await fake.ledger.write((tx) => tx.epochs.insert({ ...life, ...now }));
  const { id } = await fake.send({ kind: 'task', body: 'Count the stars.' });
  await commit(fake.parts, await fake.pack('turn-boundary', recipient), 'in');
  const stop = { child: fakeAgentId, epoch: 1, session: 'after-new', id: 't2' } as const;
  await fake.ledger.write((tx) =>
    endTurnIn(tx, fake.clock.now(), { ...stop, outcome: 'completed' }),
  );
  fake.clock.pass(10_000);
  await look();
  await look();
  const [first, second] = await reminders();
  expect(first?.body).toContain('in a conversation that has been left');
  expect(first?.body).toMatch(/\n> hello$/);
  expect(second?.body).toContain(id);
  expect(second?.body).not.toContain('stars');
});

for (const [found, isQuoted] of [
  ['removed', true],
  ['unknown', true],
  ['landed', false],
] as const) {
  test(`rules 9, 30: the reminder of a task whose turn was interrupted, and of which the records say ${found}, ${isQuoted ? 'has its text' : 'names it'}`, async () => {
    const { fake, recipient, reminders } = await indebted();
    const { id } = await fake.send({ kind: 'task', body: 'Count the stars.' });
    await commit(fake.parts, await fake.pack('turn-boundary', recipient), 'in');
    const stop = { child: fakeAgentId, epoch: 1, session: 's', id: 't2' } as const;
    await fake.ledger.write((tx) =>
      endTurnIn(tx, fake.clock.now(), { ...stop, outcome: 'interrupted' }),
    );
    fake.clock.pass(10_000);
    const finding: Finding = { found, evidence: 'a record' };
    const judge: Evidence['judge'] = async (attempts) => attempts.map(() => finding);
    const read = { ...recipient, evidence: { judge, close: () => undefined } };
    await remindDebtor(fake.parts, read);
    await remindDebtor(fake.parts, read);
    const reminder = (await reminders()).find(({ body }) => body.includes(id));
    expect(reminder?.body.includes('\n> Count the stars.')).toBe(isQuoted);
  });
}

test('rule 30: a worker that rests and owes is reminded once, then its creditor is told once', async () => {
  const { fake, task, look, reminders, told, read } = await indebted();
  expect(await look()).toBe(10_000);
  expect(await reminders()).toEqual([]);
  fake.clock.pass(10_000);
  await look();
  expect(await reminders()).toMatchObject([{ from: signalbox.id }]);
  expect((await reminders())[0]?.body).toContain(`task ${task} (1). End`);
  // Not before it has read that.
  await look();
  expect(await told()).toEqual([]);
  await read();
  await look();
  expect(await told()).toMatchObject([{ from: signalbox.id, replyTo: [task] }]);
  await look();
  expect([(await reminders()).length, (await told()).length]).toEqual([0, 1]);
  const debt = await fake.ledger.read((tx) => tx.debts.find(task));
  expect(debt?.endedAt).toBeUndefined();
});

test('rule 30: of several tasks without an answer the next is looked at once something was said of the first', async () => {
  const { fake, recipient, look, reminders, told, read } = await indebted();
  await fake.send({ kind: 'task', from: userAgentId });
  await commit(fake.parts, await fake.pack('turn-boundary', recipient), 'in');
  const again = { child: fakeAgentId, epoch: 1, session: 's', id: 't2' } as const;
  await fake.ledger.write((tx) =>
    endTurnIn(tx, fake.clock.now(), { ...again, outcome: 'failed', why: '429' }),
  );
  fake.clock.pass(10_000);
  await look();
  await read();
  expect(await look()).toBe(0);
  expect(await told()).toHaveLength(1);
  await look();
  expect(await reminders()).toHaveLength(1);
});

test('rules 8, 30: where nothing proves that it read the reminder, it has time to begin its turn', async () => {
  const { fake, recipient, look, told } = await indebted();
  fake.clock.pass(10_000);
  await look();
  await commit(fake.parts, await fake.pack('turn-boundary', recipient), 'in');
  // It still looks at rest, and has for a while: that is from before.
  fake.clock.pass(300);
  expect(await look()).toBe(9700);
  expect(await told()).toEqual([]);
  fake.clock.pass(9700);
  await look();
  expect(await told()).toHaveLength(1);
});

test('rule 30: nobody is reminded who waits for others himself, or at whose keys a person sits', async () => {
  const { fake, look, reminders, type } = await indebted();
  fake.clock.pass(9000);
  type();
  fake.clock.pass(5000);
  expect(await look()).toBe(5000);
  await fake.ledger.write((tx) =>
    tx.debts.insert({ task: 'msg_below', debtor: 'agt_2', creditor: fakeAgentId, givenAt: 1 }),
  );
  fake.clock.pass(60_000);
  expect(await look()).toBeUndefined();
  expect(await reminders()).toEqual([]);
});

for (const [why, giveUp] of [
  ['was reminded in vain', (tx) => tx.debts.setTold('msg_below', 'msg_told', 1)],
  ['has asked back', (tx) => tx.debts.setAsked('msg_below', 'msg_question')],
] as const satisfies readonly [string, (tx: LedgerTransaction) => Promise<void>][]) {
  test(`rule 30: whoever waits for one that ${why} is reminded, so that nobody above waits for ever`, async () => {
    const { fake, look, reminders, told, read } = await indebted();
    await fake.ledger.write(async (tx) => {
      const below = { task: 'msg_below', debtor: 'agt_2', creditor: fakeAgentId, givenAt: 1 };
      await tx.debts.insert(below);
      await giveUp(tx);
    });
    fake.clock.pass(10_000);
    await look();
    expect(await reminders()).toHaveLength(1);
    await read();
    await look();
    expect(await told()).toHaveLength(1);
  });
}

test('rule 31: whoever waits for the answer has the word that none came', async () => {
  const { fake, task, look, told, read } = await indebted();
  const { host } = fake.parts.surroundings;
  const waiter = { id: 'w', holder: host.identity, sinceMs: 0, leaseMs: 1e9 };
  await fake.ledger.write((tx) => tx.debts.setWaiter(task, waiter));
  fake.clock.pass(10_000);
  await look();
  await read();
  await look();
  expect(await told()).toEqual([]);
  const debt = await fake.ledger.read((tx) => tx.debts.find(task));
  const notice = await fake.find(debt?.toldBy ?? '');
  expect(notice).toMatchObject({ kind: 'notice', state: 'claimed' });
});

test('rule 30: a task that was read, whose turn end nobody heard of, is asked for once its worker rests', async () => {
  const fake = await FakeDelivery.open();
  const atRestSince = fake.clock.monotonicMs();
  const recipient = fake.recipient({
    view: () => ({ status: 'idle', composer: 'empty', atRestSince }),
  });
  await fake.send({ kind: 'task', body: 'do it' });
  const parcel = await fake.pack('native', recipient);
  await commit(fake.parts, parcel, 'in');
  const { mark } = parcel.claim;
  await fake.ledger.write((tx) => prove(tx, fake.clock.now(), { mark, evidence: 'a word' }));
  expect(await fake.ledger.read((tx) => tx.debts.listOwedBy(fakeAgentId))).toHaveLength(1);
  for (let i = 0; i < 60; i++) {
    fake.clock.pass(60_000);
    await remindDebtor(fake.parts, recipient);
  }
  const states = ['queued'] as const;
  const inbox = await fake.ledger.read((tx) =>
    tx.messages.list({ to: fakeAgentId, states, limit: 9 }),
  );
  expect(inbox.map(({ kind }) => kind)).toEqual(['notice']);
});

test('rules 30, 42: after a turn that failed, a worker at rest is reminded, too', async () => {
  const { fake, reminders, recipient } = await indebted();
  const atRestSince = fake.clock.monotonicMs();
  const view = () => ({ status: 'error', composer: 'empty', atRestSince }) as const;
  fake.clock.pass(10_000);
  await remindDebtor(fake.parts, { ...recipient, view });
  expect(await reminders()).toHaveLength(1);
});

test('rules 8, 30: a task that went in behind a turn, where no proof can be had, is asked for', async () => {
  const fake = await FakeDelivery.open();
  const atRestSince = fake.clock.monotonicMs();
  const view = () => ({ status: 'completed', composer: 'empty', atRestSince }) as const;
  const recipient = fake.recipient({ view, ways: { provable: [] } });
  await fake.send({ kind: 'task' });
  const parcel = await pack(fake.parts, recipient, { route: 'native', isBehindTurn: true });
  if (!parcel) throw new Error('nothing to pack');
  await commit(fake.parts, parcel, 'in');
  const stop = { child: fakeAgentId, epoch: 1, session: 's', outcome: 'completed' } as const;
  // Of the turn under way, and of the one that held it: nobody can say which was which.
  for (const id of ['t1', 't2']) {
    const ended = { ...stop, id, text: `Words of ${id}.` };
    await fake.ledger.write((tx) => endTurnIn(tx, fake.clock.now(), ended));
  }
  const look = () => remindDebtor(fake.parts, recipient);
  fake.clock.pass(10_000);
  await look();
  const [reminder] = await fake.ledger.read((tx) =>
    tx.messages.list({ to: fakeAgentId, states: ['queued'], limit: 9 }),
  );
  expect(reminder).toMatchObject({ kind: 'notice', from: signalbox.id });
});
