import { expect, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import type { MessageDraft } from '../messages/message.ts';
import { loseSight } from './claim.ts';
import { type Parcel, type ParcelWish, record } from './deliver.ts';
import { prove } from './prove.ts';

const behind = { isBehindTurn: true } as const;

/** Into the CLI's own queue, unless something else is said. */
async function put(
  fake: FakeDelivery,
  draft: Partial<MessageDraft> = {},
  wish: Partial<ParcelWish> = behind,
): Promise<Parcel> {
  await fake.send(draft);
  const parcel = await fake.pack(wish.route ?? 'native', fake.recipient(), wish);
  await record(fake.parts, parcel, { outcome: 'taken' }, { cause: 'put in' });
  return parcel;
}

const isWhole = ({ text }: Parcel): boolean => text.includes('\nMail, not typed here.');

test('rule 14: behind an unread text in the CLI’s queue what introduces our lines is not said again', async () => {
  const fake = await FakeDelivery.open();
  expect(isWhole(await put(fake))).toBe(true);
  const second = await put(fake);
  expect(second.text).toMatch(/^<signalbox mark_\w+>\n2 message from the user\nhello\n<\//);
  expect(isWhole(await put(fake))).toBe(false);
});

test('rule 14: once that text is read, what introduces our lines is said again', async () => {
  const fake = await FakeDelivery.open();
  const { mark } = (await put(fake)).claim;
  expect(isWhole(await put(fake))).toBe(false);
  await fake.ledger.write((tx) => prove(tx, fake.clock.now(), { mark, evidence: 'it said' }));
  expect(isWhole(await put(fake))).toBe(true);
});

test('rules 12, 14: behind a text that nobody knows the fate of, it is said again', async () => {
  const fake = await FakeDelivery.open();
  const { claim } = await put(fake);
  const why = { code: 'lost-sight', cause: 'the test' } as const;
  await fake.ledger.write((tx) => loseSight(tx, fake.clock.now(), claim, why));
  expect(isWhole(await put(fake))).toBe(true);
});

test('rule 14: in a conversation that was begun since, it is said again', async () => {
  const fake = await FakeDelivery.open();
  const life = { backend: 'fake', provider: 'fake', argv: [], extraArgs: [], tokenHash: '' };
  const now = { agent, epoch: 1, startedAt: 1, conversation: 'one' };
  await fake.ledger.write((tx) => tx.epochs.insert({ ...life, ...now }));
  const { claim } = await put(fake);
  expect(isWhole(await put(fake))).toBe(false);
  await fake.ledger.write((tx) => tx.epochs.setConversation(agent, 1, 'two', claim.at + 1));
  expect(isWhole(await put(fake))).toBe(true);
});

test('rule 14: one that wants an answer, behind one that does not say how to give it, says it', async () => {
  const fake = await FakeDelivery.open();
  const notice = { kind: 'notice' } as const;
  expect((await put(fake, notice)).text).not.toContain('Answer:');
  expect(isWhole(await put(fake, notice))).toBe(false);
  expect((await put(fake)).text).toContain('Answer: signalbox send');
});

test.each<[string, Partial<ParcelWish>]>([
  ['that begins a turn', { isWake: true }],
  ['by another route', { route: 'turn-boundary' }],
  ['of the user’s own words', { ...behind, standing: 'prompt' }],
])('rules 14, 51: a text %s is whole, whatever is unread', async (_, wish) => {
  const fake = await FakeDelivery.open();
  await put(fake);
  const { text } = await put(fake, { isPrompt: wish.standing === 'prompt' }, wish);
  expect(text).toMatch(
    wish.standing ? /^<signalbox 2 mark_\w+>\nhello$/ : /\nMail, not typed here\./,
  );
});

test('rule 14: the user’s own prompt introduces nothing', async () => {
  const fake = await FakeDelivery.open();
  await put(fake, { isPrompt: true }, { ...behind, standing: 'prompt' });
  expect(isWhole(await put(fake))).toBe(true);
});
