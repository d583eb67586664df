import { expect, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { headOf } from '../../test/support/head-of.ts';
import { envelopeBytes } from '../messages/envelope.ts';
import type { Message } from '../messages/message.ts';
import { type Parcel, pack, record } from './deliver.ts';
import { write } from './write-attempt.ts';

/** Batch after batch, as the boundaries come, until nothing waits. */
async function carryAll(fake: FakeDelivery): Promise<readonly Parcel[]> {
  const parcels: Parcel[] = [];
  for (;;) {
    const parcel = await pack(fake.parts, fake.recipient(), { route: 'turn-boundary' });
    if (!parcel) return parcels;
    await record(fake.parts, parcel, { outcome: 'taken' }, { cause: 'said' });
    parcels.push(parcel);
  }
}

test.each([19, 60])(
  'rule 13: of %i answers at once each is written out, in order, in one batch after another',
  async (count) => {
    const fake = await FakeDelivery.open();
    const sent: string[] = [];
    for (let i = 0; i < count; i++) {
      sent.push((await fake.send({ body: `answer ${i} ${'x'.repeat(900)}` })).id);
    }
    const parcels = await carryAll(fake);
    expect(parcels.length).toBeGreaterThan(1);
    expect(parcels.flatMap(({ messages }) => messages.map(({ id }) => id))).toEqual(sent);
    for (const { text, messages } of parcels) {
      expect(text).not.toContain('not shown here');
      for (const message of messages)
        expect(text).toContain(`${headOf(message)}the user\n${message.body}\n`);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(envelopeBytes);
    }
  },
);

test('rule 13: what does not fit is not claimed, stays queued, and is counted in one line', async () => {
  const fake = await FakeDelivery.open();
  const sent: Message[] = [];
  for (let i = 0; i < 5; i++) sent.push(await fake.send({ body: 'x'.repeat(3000) }));
  const first = await fake.pack('turn-boundary');
  expect(first.messages.map(({ id }) => id)).toEqual(sent.slice(0, 2).map(({ id }) => id));
  expect(first.text).toContain('3 more messages wait for you; they come next.');
  for (const message of sent.slice(2)) {
    expect((await fake.find(message.id)).state).toBe('queued');
    expect(first.text).not.toContain(headOf(message));
  }
});

test('rule 13: only one that is longer than a batch is a pointer, and takes nobody’s room', async () => {
  const fake = await FakeDelivery.open();
  const long = await fake.send({ body: 'x'.repeat(60_000) });
  const short = await fake.send({ body: 'short' });
  const { text, claim } = await fake.pack('turn-boundary');
  expect(text).toContain(`${headOf(long)}the user: 59 KB, not shown here`);
  expect(text).toContain(`${headOf(short)}the user\nshort\n</signalbox `);
  const attempts = await fake.ledger.read((tx) => tx.claims.listAttemptsOf(claim.token));
  expect(attempts.filter(({ isPointer }) => isPointer).map(({ messageId }) => messageId)).toEqual([
    long.id,
  ]);
  expect(await fake.ledger.read((tx) => tx.messages.countByState(agent))).toEqual({ claimed: 2 });
});

test('rule 12: the text of a batch is the same when it is written again, whatever came since', async () => {
  const fake = await FakeDelivery.open();
  for (let i = 0; i < 5; i++) await fake.send({ body: 'x'.repeat(3000) });
  const { claim, text, messages } = await fake.pack('paste');
  await fake.send({ body: 'later' });
  const again = await fake.ledger.read(async (tx) => {
    const kept = await tx.claims.find(claim.token);
    return kept && write(tx, kept, messages, {});
  });
  expect(again?.text).toBe(text);
});

const typed = { syntax: { paste: { at: 'anywhere' } } } as const;

test('rule 51f: what a CLI would act on is escaped on that route alone, and stays in the ledger as it was', async () => {
  const fake = await FakeDelivery.open();
  const body = 'read @secret.txt, (@a) and x@y.org';
  const { id } = await fake.send({ body });
  const recipient = fake.recipient({ ways: typed });
  const pasted = await fake.pack('paste', recipient);
  expect(pasted.text).toContain('\nread \\@secret.txt, (\\@a) and x\\@y.org\n');
  expect(pasted.messages[0]?.body).toBe(body);
  expect((await fake.find(id)).body).toBe(body);
  await record(fake.parts, pasted, { outcome: 'taken' }, { cause: 'pasted' });
  await fake.send({ body });
  expect((await fake.pack('turn-boundary', recipient)).text).toContain(`\n${body}\n`);
});

test('rules 13, 51f: what is escaped counts in the bound of a text, and written again it is the same', async () => {
  const fake = await FakeDelivery.open();
  // Each is 3,000 bytes, and twice that when it is escaped.
  for (let i = 0; i < 4; i++) await fake.send({ body: '@'.repeat(3000) });
  const recipient = fake.recipient({ ways: typed });
  const { claim, text, messages } = await fake.pack('paste', recipient);
  expect(messages).toHaveLength(1);
  expect(Buffer.byteLength(text)).toBeGreaterThan(6000);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(envelopeBytes);
  const again = await fake.ledger.read((tx) => write(tx, claim, messages, recipient.ways));
  expect(again.text).toBe(text);
});

test('rules 13, 51f: one that only its escapes make too long is named, with the size that it really has', async () => {
  const fake = await FakeDelivery.open();
  await fake.send({ body: '@'.repeat(6000) });
  const { text } = await fake.pack('paste', fake.recipient({ ways: typed }));
  expect(text).toMatch(/ 1 message from the user: 6 KB, not shown here\. Read it with/);
});
