import { expect, test } from 'vitest';
import { FakeDelivery } from '../../test/fakes/delivery.ts';
import { recordInjected } from './claim.ts';
import { pack } from './deliver.ts';
import { readOpen } from './read-open.ts';

type Wish = Parameters<typeof pack>[2];

/** An attempt that is out, and what evidence is asked about it. */
async function open({ route, ...wish }: Wish, draft: { readonly isPrompt?: boolean } = {}) {
  const fake = await FakeDelivery.open();
  await fake.send({ body: 'yes, go ahead', ...draft });
  const recipient = fake.recipient({ ways: { prompts: ['paste'] } });
  const parcel = await pack(fake.parts, recipient, { route, ...wish });
  if (!parcel) throw new Error('nothing to pack');
  const at = fake.clock.now();
  const { token } = parcel.claim;
  await fake.ledger.write((tx) => recordInjected(tx, at, token, 'injected'));
  const read = async () => (await readOpen(fake.parts, recipient)).map(({ trace }) => trace.text);
  return { fake, parcel, recipient, read };
}

test('rule 51: evidence is asked about a pasted prompt with its very words', async () => {
  const { parcel, read } = await open({ route: 'paste', standing: 'prompt' }, { isPrompt: true });
  expect(parcel.text).toMatch(/^<signalbox 1 mark_\w+>\nyes, go ahead$/);
  expect(await read()).toEqual([parcel.text]);
});

test('rule 24: so it is about a pasted notice, and not about what goes another way', async () => {
  const pasted = await open({ route: 'paste' });
  expect(await pasted.read()).toEqual([pasted.parcel.text]);
  const told = await open({ route: 'native' });
  expect(await told.read()).toEqual([undefined]);
});
