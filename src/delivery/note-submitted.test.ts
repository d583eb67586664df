import { expect, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { pack } from './deliver.ts';
import { noteSubmitted } from './note-submitted.ts';

const ways = {
  routes: ['native', 'paste'],
  prompts: ['paste'],
  tellsSubmitted: 'exactly',
} as const;

/** A prompt of the user's that is on its way in by a paste, or an agent's fenced task. */
async function open(body = 'yes, go ahead', from?: string) {
  const fake = await FakeDelivery.open();
  await fake.send({ body, isPrompt: true, ...(from === undefined ? {} : { from }) });
  const recipient = fake.recipient({ ways });
  const parcel = await pack(fake.parts, recipient, { route: 'paste', standing: 'prompt' });
  if (!parcel) throw new Error('nothing to pack');
  const { text, claim } = parcel;
  const noted = async (prompt: string, how = recipient.ways) => {
    await noteSubmitted(fake.parts, agent, prompt, how);
    const found = await fake.ledger.read((tx) => tx.claims.find(claim.token));
    return { isSubmitted: found?.isSubmitted, isAltered: found?.isAltered };
  };
  return { text, noted, recipient };
}

test('rule 51: a prompt that was submitted word for word is noted, and nothing more', async () => {
  const { text, noted } = await open();
  expect(text).toMatch(/^<signalbox 1 mark_\w+>\nyes, go ahead$/);
  expect(await noted(text)).toEqual({ isSubmitted: true, isAltered: undefined });
});

test('rule 51: a fenced task that was pasted is compared like the user’s own words', async () => {
  const whole = await open('count it', agent);
  expect(whole.text).toMatch(/^<signalbox mark_\w+>\n/);
  expect(await whole.noted(whole.text)).toEqual({ isSubmitted: true, isAltered: undefined });
  const touched = await open('count it', agent);
  const told = await touched.noted(`${touched.text}x`);
  expect(told).toEqual({ isSubmitted: true, isAltered: true });
});

test.each([
  ['a letter of a person’s behind it', (text: string) => `${text}x`],
  ['a letter that was lost', (text: string) => text.slice(0, -1)],
  ['another text in front of its words', (text: string) => text.replace('\n', '\nno: ')],
])('rule 51: %s is told by the hook, not by the screen', async (_, change) => {
  const { text, noted } = await open();
  expect(await noted(change(text))).toEqual({ isSubmitted: true, isAltered: true });
});

test('rule 51: of two reports at the same moment the first one counts, as of two that come in turn', async () => {
  const { text, noted } = await open();
  await Promise.all([noted(text), noted(`${text}x`)]);
  expect(await noted('')).toEqual({ isSubmitted: true, isAltered: undefined });
});

test('rule 6: a quoted mark says nothing of the words', async () => {
  const { text, noted } = await open();
  const quoted = await noted(`what is ${text}?`);
  expect(quoted).toEqual({ isSubmitted: true, isAltered: undefined });
});

test('rule 51: where the hook does not tell the very bytes nothing is compared', async () => {
  const { text, noted, recipient } = await open();
  const { tellsSubmitted: _, ...others } = recipient.ways;
  expect(await noted(`${text}x`, others)).toEqual({ isSubmitted: true, isAltered: undefined });
});

test('rule 51: what the composer makes of tabs and accents is nobody’s doing', async () => {
  const { text, noted } = await open('cafe\u0301:\tone\n\ttwo');
  const told = text.replaceAll('\t', '    ').replaceAll('e\u0301', 'é');
  expect(told).not.toBe(text);
  expect(await noted(told)).toEqual({ isSubmitted: true, isAltered: undefined });
  const other = await open('one\ttwo');
  expect(await other.noted(other.text.replaceAll('\t', ' '))).toMatchObject({ isAltered: true });
});
