import { expect, test } from 'vitest';
import { FakeDelivery } from '../../test/fakes/delivery.ts';
import type { Claim } from '../messages/claim.ts';
import type { Finding } from '../providers/way-in.ts';
import { loseSight } from './claim.ts';
import { commit } from './deliver.ts';
import { prove } from './prove.ts';
import { resolve } from './resolve.ts';
import { takeOut } from './take-out.ts';

type Cause = Finding['because'];

/** One message on its way in, copy after copy; each is read as the model would get it. */
async function open() {
  const fake = await FakeDelivery.open();
  const { id } = await fake.send();
  const offer = async (): Promise<{ readonly claim: Claim; readonly isMarked: boolean }> => {
    const parcel = await fake.pack('native');
    await commit(fake.parts, parcel, 'in');
    return { claim: parcel.claim, isMarked: parcel.text.includes('MAY BE A REPEAT') };
  };
  return {
    fake,
    offer,
    message: () => fake.find(id),
    takeOut: (claim: Claim, because: Cause) =>
      fake.ledger.write((tx) =>
        takeOut(tx, fake.clock.now(), claim, {
          evidence: 'a record',
          ...(because === undefined ? {} : { because }),
        }),
      ),
    read: ({ mark }: Claim) =>
      fake.ledger.write((tx) => prove(tx, fake.clock.now(), { mark, evidence: 'a word' })),
    lose: (claim: Claim) =>
      fake.ledger.write((tx) =>
        loseSight(tx, fake.clock.now(), claim, { code: 'holder-died', cause: 'we died' }),
      ),
    isAbsent: async () => {
      const message = await fake.find(id);
      await fake.ledger.write((tx) => resolve(tx, fake.clock.now(), message, 'absent', 'nowhere'));
    },
  };
}

test.each(['failed', 'interrupted', undefined] as const)(
  'rule 49: after a turn that was %s the next copy says that it may be a repeat, whatever the CLI took out',
  async (because) => {
    const { offer, takeOut, message } = await open();
    const first = await offer();
    expect(first.isMarked).toBe(false);
    expect(await takeOut(first.claim, because)).toBe(1);
    expect(await message()).toMatchObject({ state: 'queued', notLanded: 0 });
    expect((await offer()).isMarked).toBe(true);
  },
);

test('rule 49: only a request that was refused before any output leaves the next copy unmarked', async () => {
  const { offer, takeOut, message } = await open();
  const first = await offer();
  await takeOut(first.claim, 'refused');
  expect(await message()).toMatchObject({ state: 'queued', notLanded: 0 });
  const second = await offer();
  expect(second.isMarked).toBe(false);
  // Proven not landed: whoever names its mark now has it from somewhere else (rule 7).
  expect(second.claim.mark).not.toBe(first.claim.mark);
});

test('rule 49: a refusal of a later copy takes the mark of an earlier one from none', async () => {
  const { offer, takeOut } = await open();
  await takeOut((await offer()).claim, 'failed');
  await takeOut((await offer()).claim, 'refused');
  expect((await offer()).isMarked).toBe(true);
});

test('rule 49: nor does a later copy that never landed', async () => {
  const { offer, takeOut, isAbsent } = await open();
  await takeOut((await offer()).claim, 'interrupted');
  await offer();
  await isAbsent();
  expect((await offer()).isMarked).toBe(true);
});

test.each(['failed', 'interrupted', 'refused'] as const)(
  'rule 9: what was seen goes back once after a turn that was %s, marked, and stays seen the second time',
  async (because) => {
    const { offer, read, takeOut, message } = await open();
    const first = await offer();
    await read(first.claim);
    expect(await takeOut(first.claim, because)).toBe(1);
    const second = await offer();
    expect(second.isMarked).toBe(true);
    await read(second.claim);
    expect(await takeOut(second.claim, because)).toBe(0);
    expect((await message()).state).toBe('seen');
  },
);

test('rule 36: a copy that a broken stream took out may still be proven late, a refused one may not', async () => {
  const broken = await open();
  const first = await broken.offer();
  await broken.takeOut(first.claim, 'failed');
  expect(await broken.read(first.claim)).toHaveLength(1);
  const refused = await open();
  const second = await refused.offer();
  await refused.takeOut(second.claim, 'refused');
  expect(await refused.read(second.claim)).toHaveLength(0);
});

test('rule 49: it is the same for a copy that had been lost sight of', async () => {
  const { offer, lose, takeOut } = await open();
  const { claim } = await offer();
  await lose(claim);
  expect(await takeOut(claim, 'failed')).toBe(1);
  expect((await offer()).isMarked).toBe(true);
});

test('a copy that another has taken the place of is left alone', async () => {
  const { offer, takeOut, message } = await open();
  const first = await offer();
  await takeOut(first.claim, 'failed');
  await offer();
  expect(await takeOut(first.claim, 'failed')).toBe(0);
  expect((await message()).state).toBe('injected');
});
