import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../test/fakes/delivery.ts';
import { signalbox, userAgentId } from '../agents/agent.ts';
import type { Message } from '../messages/message.ts';
import { acknowledge } from './acknowledge.ts';
import { commit } from './deliver.ts';
import { createEvidenceMemory } from './evidence-memory.ts';
import { handOut } from './hand-out.ts';
import { noteInterruption } from './lose-handed-out.ts';
import { prove } from './prove.ts';
import type { RecipientView } from './recipient.ts';
import { remindUnread } from './remind-unread.ts';
import { settleHandedOut } from './settle-handed-out.ts';

/** An agent that rests after a turn in which it read the names of long messages. */
async function named(count = 1) {
  const fake = await FakeDelivery.open();
  const memory = createEvidenceMemory();
  let atRestSince: number | undefined;
  let status: 'completed' | 'error' = 'completed';
  const view = (): RecipientView =>
    atRestSince === undefined
      ? { status: 'processing', composer: 'empty' }
      : { status, composer: 'empty', atRestSince };
  const recipient = fake.recipient({ view });
  const sent: Message[] = [];
  for (let i = 0; i < count; i++) sent.push(await fake.send({ body: `${i} `.repeat(10_000) }));
  const parcel = await fake.pack('native', recipient);
  await commit(fake.parts, parcel, 'in');
  const { mark } = parcel.claim;
  await fake.ledger.write((tx) => prove(tx, fake.clock.now(), { mark, evidence: 'a word' }));
  const inbox = async (to: string): Promise<readonly Message[]> => {
    const query = { to, states: ['queued'], limit: 9 } as const;
    const all = await fake.ledger.read((tx) => tx.messages.list(query));
    return all.filter(({ kind }) => kind === 'notice');
  };
  const rest = () => {
    atRestSince = fake.clock.monotonicMs();
  };
  const look = () => remindUnread(fake.parts, recipient, memory);
  rest();
  return {
    ...{ fake, memory, sent, look, rest, recipient },
    work: () => {
      atRestSince = undefined;
    },
    fail: () => {
      status = 'error';
    },
    reminders: () => inbox(fakeAgentId),
    told: () => inbox(userAgentId),
    /** The turn that a reminder began, and its end. */
    readReminders: async () => {
      const ids = (await inbox(fakeAgentId)).map(({ id }) => id);
      await fake.ledger.write((tx) =>
        acknowledge(tx, fake.clock.now(), ids, { code: 'acked', cause: 'read' }),
      );
      rest();
    },
    /** check_inbox by the agent: one call. */
    fetch: async () => {
      const who = { recipient: fakeAgentId, epoch: 1, by: 'it', max: undefined };
      const how = { isInTerminal: true, inParts: true };
      const { surroundings, ledger } = fake.parts;
      const handed = await handOut(ledger, surroundings, { ...who, ...how });
      await handed.finish();
      return handed.remaining;
    },
  };
}

test('rule 13: not fetched by the next rest it is named once more; not by the rest after that, its sender is told', async () => {
  const { fake, sent, look, reminders, told, readReminders } = await named();
  const id = sent[0]?.id ?? '';
  expect(await look()).toBe(10_000);
  expect(await reminders()).toEqual([]);
  fake.clock.pass(10_000);
  await look();
  expect(await reminders()).toMatchObject([{ from: signalbox.id, isQuiet: false }]);
  expect((await reminders())[0]?.body).toContain(`signalbox inbox show ${id} --part 1`);
  // Once, and nobody is told before it was read.
  await look();
  expect([(await reminders()).length, (await told()).length]).toEqual([1, 0]);
  await readReminders();
  expect(await look()).toBe(10_000);
  fake.clock.pass(10_000);
  await look();
  expect(await told()).toMatchObject([{ from: signalbox.id, replyTo: [id] }]);
  expect((await told())[0]?.body).toMatch(/was not read: .* named twice .* was not fetched/);
  fake.clock.pass(60_000);
  await look();
  expect([(await reminders()).length, (await told()).length]).toEqual([0, 1]);
  expect((await fake.find(id)).state).toBe('injected');
});

test('rule 13: a failing API is not woken for it, but whoever sent it is told', async () => {
  const { fake, look, fail, reminders, readReminders, told } = await named();
  fail();
  fake.clock.pass(20_000);
  await look();
  expect(await reminders()).toEqual([]);
  const other = await named();
  other.fake.clock.pass(20_000);
  await other.look();
  await other.readReminders();
  other.fail();
  other.fake.clock.pass(20_000);
  await other.look();
  expect(await other.told()).toHaveLength(1);
  expect([await readReminders(), await told()]).toEqual([undefined, []]);
});

test('rule 13: several are named in the same turn, each once', async () => {
  const { fake, sent, look, reminders } = await named(3);
  fake.clock.pass(10_000);
  await look();
  const bodies = (await reminders()).map(({ body }) => body).join('\n');
  for (const { id } of sent) expect(bodies).toContain(id);
  expect(await reminders()).toHaveLength(3);
});

test('rule 13: whoever has read some of its parts is asked for the rest, and not reported while it goes on', async () => {
  const { fake, sent, look, reminders, told, fetch, readReminders } = await named();
  await fetch();
  fake.clock.pass(10_000);
  await look();
  expect((await reminders())[0]?.body).toContain('--part 2');
  await fetch();
  await readReminders();
  fake.clock.pass(10_000);
  await look();
  expect((await reminders())[0]?.body).toContain('--part 3');
  expect(await told()).toEqual([]);
  await readReminders();
  fake.clock.pass(10_000);
  await look();
  expect((await told())[0]?.body).toMatch(/only 2 of its 3 parts were fetched/);
  // Read after all, it is seen like any other.
  expect(await fetch()).toBe(0);
  await settleHandedOut(fake.parts, fakeAgentId);
  expect((await fake.find(sent[0]?.id ?? '')).state).toBe('seen');
});

test('rule 13: what was handed out whole is not asked for, nor anything while the agent works', async () => {
  const { fake, look, reminders, fetch, work, rest } = await named();
  work();
  fake.clock.pass(60_000);
  expect(await look()).toBeUndefined();
  while ((await fetch()) > 0);
  rest();
  fake.clock.pass(10_000);
  expect(await look()).toBeUndefined();
  expect(await reminders()).toEqual([]);
});

test('rule 42c: after a turn that a person interrupted it is theirs to go on', async () => {
  const { fake, memory, look, reminders } = await named();
  memory.interruptedIn = { conversation: 'c1' };
  fake.clock.pass(60_000);
  expect(await look()).toBeUndefined();
  expect(await reminders()).toEqual([]);
});

test('rules 13, 42b: a long message whose turn a person interrupted is named again once that conversation was left', async () => {
  const { fake, memory, look, reminders, recipient } = await named();
  const life = { backend: 'fake', provider: 'fake', argv: [], extraArgs: [], tokenHash: '' };
  await fake.ledger.write((tx) =>
    tx.epochs.insert({ ...life, agent: fakeAgentId, epoch: 1, startedAt: 1, conversation: 'one' }),
  );
  await noteInterruption(fake.parts, recipient, memory, true);
  await fake.ledger.write((tx) => tx.epochs.setConversation(fakeAgentId, 1, 'two'));
  for (let i = 0; i < 60; i++) {
    fake.clock.pass(60_000);
    await look();
  }
  expect(await reminders()).toHaveLength(1);
});
