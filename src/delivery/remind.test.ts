import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../test/fakes/delivery.ts';
import { type AgentStatus, signalbox } from '../agents/agent.ts';
import { loseSight } from './claim.ts';
import { commit } from './deliver.ts';
import { readOpen } from './read-open.ts';
import { remind, resumedMs } from './remind.ts';
import { resolve } from './resolve.ts';

/** One message that stands unread in the conversation of an agent that has just come to rest. */
async function unread({ isLive, status }: { isLive: boolean; status: AgentStatus }) {
  const fake = await FakeDelivery.open();
  const atRestSince = fake.clock.monotonicMs();
  let humanKeyAt = Number.NEGATIVE_INFINITY;
  const view = () => ({ status, composer: 'empty', atRestSince, humanKeyAt }) as const;
  const recipient = fake.recipient({ view });
  const { id } = await fake.send();
  await commit(fake.parts, await fake.pack('native', recipient), 'in');
  const open = (await readOpen(fake.parts, recipient)).map((item) => ({ ...item, isLive }));
  return {
    fake,
    look: () => remind(fake.parts, recipient, open),
    lookAgain: async (which: (id: string) => boolean = () => true) => {
      const now = await readOpen(fake.parts, recipient);
      const stuck = now.filter(({ messages }) => messages.some((message) => which(message.id)));
      return remind(
        fake.parts,
        recipient,
        stuck.map((item) => ({ ...item, isLive })),
      );
    },
    id,
    carry: () => fake.pack('native', recipient),
    type: () => {
      humanKeyAt = fake.clock.monotonicMs();
    },
    reminders: async () => {
      const all = await fake.ledger.read((tx) =>
        tx.messages.list({ to: recipient.agent, states: ['queued'], limit: 10 }),
      );
      return all.filter(({ body }) => body.includes(id));
    },
  };
}

test('rule 10: what a restarted CLI does not go on with by itself is asked for soon after its first rest', async () => {
  const { fake, look, reminders } = await unread({ isLive: false, status: 'idle' });
  expect(await look()).toEqual([resumedMs]);
  fake.clock.pass(resumedMs);
  expect(await look()).toEqual([]);
  expect(await reminders()).toMatchObject([{ kind: 'notice' }]);
});

test('rule 42: mail that wakes nobody asks for nothing, and keeps no reminder back', async () => {
  const { fake, look, reminders } = await unread({ isLive: true, status: 'error' });
  const row = { kind: 'completion', from: 'agt_2', to: fakeAgentId, body: 'over' } as const;
  const at = fake.clock.now();
  await fake.ledger.write((tx) =>
    tx.messages.insert([
      { ...row, id: 'msg_quiet', isQuiet: true, state: 'queued', createdAt: at, cause: 'accepted' },
    ]),
  );
  fake.clock.pass(60_000);
  await look();
  expect(await reminders()).toMatchObject([{ kind: 'notice' }]);
});

test('rule 51: a reminder is a text of ours, and its header says so', async () => {
  const { fake, look, reminders } = await unread({ isLive: false, status: 'idle' });
  fake.clock.pass(resumedMs);
  await look();
  const sent = await reminders();
  expect(sent).toMatchObject([{ from: signalbox.id }]);
  const { text } = await fake.pack('native');
  expect(text).toContain(` ${sent[0]?.number} notice from signalbox\n`);
  expect(text).not.toContain('from the user');
});

test('rule 9: a person who types is left alone for 10 s, after a restart too', async () => {
  const { fake, look, type, reminders } = await unread({ isLive: false, status: 'idle' });
  type();
  fake.clock.pass(resumedMs);
  expect(await look()).toEqual([10_000 - resumedMs]);
  expect(await reminders()).toEqual([]);
});

test('after a failure of the model’s API the terminal must have been quiet for 10 s', async () => {
  const { look } = await unread({ isLive: true, status: 'error' });
  expect(await look()).toEqual([10_000]);
});

test('rule 10: while a reminder is on its way, or nobody knows whether it is, there is no second one', async () => {
  const made = await unread({ isLive: false, status: 'idle' });
  const { fake, id, look, carry, lookAgain, reminders } = made;
  fake.clock.pass(resumedMs);
  await look();
  const parcel = await carry();
  await look();
  expect(await reminders()).toEqual([]);
  await fake.ledger.write((tx) =>
    loseSight(tx, fake.clock.now(), parcel.claim, { code: 'lost-sight', cause: 'no answer came' }),
  );
  await look();
  expect(await reminders()).toEqual([]);
  // Taken, and its turn has not begun yet: only the message itself is known to stand unread.
  await fake.ledger.write(async (tx) => {
    const [reminder] = await tx.claims.listCarried(parcel.claim, 'uncertain');
    if (reminder) await resolve(tx, fake.clock.now(), reminder, 'held', 'it is there');
  });
  await lookAgain((one) => one === id);
  expect(await reminders()).toEqual([]);
});

test('rule 10: a reminder that stands unread itself, as after a second death, is followed by another', async () => {
  const { fake, look, carry, lookAgain, reminders } = await unread({
    isLive: false,
    status: 'idle',
  });
  fake.clock.pass(resumedMs);
  await look();
  await commit(fake.parts, await carry(), 'in');
  await lookAgain();
  expect(await reminders()).toMatchObject([{ kind: 'notice' }]);
});

test('an error that was shown before a message went in is not its own: its turn is still to come', async () => {
  const { fake, carry, look, lookAgain, reminders } = await unread({
    isLive: true,
    status: 'error',
  });
  fake.clock.pass(10_000);
  await look();
  await commit(fake.parts, await carry(), 'in');
  fake.clock.pass(8000);
  await lookAgain();
  expect(await reminders()).toEqual([]);
  // Nobody heard of its turn: it was too short for that.
  fake.clock.pass(22_000);
  await lookAgain();
  expect(await reminders()).toMatchObject([{ kind: 'notice' }]);
});
