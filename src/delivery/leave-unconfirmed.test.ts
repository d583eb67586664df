import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../test/fakes/delivery.ts';
import type { AgentStatus } from '../agents/agent.ts';
import type { Evidence, Finding } from '../providers/way-in.ts';
import { loseSight } from './claim.ts';
import { commit } from './deliver.ts';
import { createEvidenceMemory } from './evidence-memory.ts';
import { followEvidence } from './follow-evidence.ts';
import { hookLandMs, resumeMs } from './judge-attempt.ts';
import { findUnconfirmed } from './leave-unconfirmed.ts';
import { hasReached } from './reach.ts';

const why = 'records of 2.1.240 not recognised';
const strange = (found: Finding['found'], more: Partial<Finding> = {}): Finding => ({
  found,
  evidence: why,
  isUnrecognised: true,
  ...more,
});

/** One message, injected, at an agent at rest whose records nobody here can read. */
async function injected(first: Finding = strange('landed')) {
  const fake = await FakeDelivery.open();
  const memory = createEvidenceMemory();
  let finding = first;
  let status: AgentStatus = 'completed';
  const evidence: Evidence = {
    judge: async (attempts) => attempts.map(() => finding),
    close: () => undefined,
  };
  const atRestSince = fake.clock.monotonicMs();
  const view = () => ({ status, composer: 'empty', atRestSince }) as const;
  const recipient = fake.recipient({ evidence, view, ways: { hasWaitingHook: true } });
  const { id } = await fake.send();
  const parcel = await fake.pack('native', recipient);
  await fake.ledger.write((tx) => tx.claims.note(parcel.claim.token, { step: 'begun' }));
  await commit(fake.parts, parcel, 'in');
  return {
    fake,
    id,
    parcel,
    look: () => followEvidence(fake.parts, recipient, memory),
    find: (next: Finding) => {
      finding = next;
    },
    become: (next: AgentStatus) => {
      status = next;
    },
    place: () => memory.places.get(id),
    lose: () =>
      fake.ledger.write((tx) =>
        loseSight(tx, fake.clock.now(), parcel.claim, {
          code: 'life-ended',
          cause: 'its process ended',
        }),
      ),
  };
}

// What the CLI's own queue holds is no question to its records: judge-attempt.test.ts.
test.each(['landed', 'none', 'unknown', 'removed'] as const)(
  'rule 50: where records cannot be read, %s is the end of it, and nothing ever waits behind it',
  async (found) => {
    const { fake, id, parcel, look, place } = await injected(strange(found));
    expect((await look()).heldOn).toBeUndefined();
    expect(place()).toEqual({ code: 'unproven', evidence: why });
    fake.clock.pass(hookLandMs);
    expect((await look()).heldOn).toBeUndefined();
    expect(await fake.find(id)).toMatchObject({ state: 'injected', mayRepeat: false });
    const claim = await fake.ledger.read((tx) => tx.claims.find(parcel.claim.token));
    expect(claim?.provable).toBe(false);
    // No clock runs any more (rule 8).
    fake.clock.pass(24 * 3_600_000);
    await look();
    expect((await fake.find(id)).state).toBe('injected');
    const history = await fake.ledger.read((tx) => tx.messages.history(id));
    expect(history.at(-1)).toMatchObject({ code: 'unconfirmed', evidence: why });
  },
);

test('rule 50: status and `send --wait seen` say why', async () => {
  const { fake, id, look } = await injected();
  const find = () => fake.ledger.read((tx) => findUnconfirmed(tx, { id: fakeAgentId, epoch: 1 }));
  expect(await find()).toBeUndefined();
  await look();
  fake.clock.pass(hookLandMs);
  await look();
  expect(await find()).toBe(why);
  const waiting = fake.find(id);
  await expect(
    waiting.then((message) => fake.ledger.read((tx) => hasReached(tx, message, 'seen'))),
  ).rejects.toThrow(`sent, unconfirmed: ${why}`);
});

test('rule 50: an answer in a form that is known, however late in this life, still proves it', async () => {
  const { fake, id, look, find } = await injected();
  await look();
  fake.clock.pass(hookLandMs);
  await look();
  find({ found: 'seen', evidence: 'a record' });
  await look();
  expect((await fake.find(id)).state).toBe('seen');
});

test('rules 10, 50: what its process died with is offered again once, marked', async () => {
  const { fake, id, look, lose } = await injected(strange('none'));
  await look();
  await lose();
  await look();
  fake.clock.pass(resumeMs.unknown * 100);
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: true });
});

test('rule 50: what a person interrupted, or the API refused, has a reason that is known', async () => {
  const { fake, id, look, find, become } = await injected(
    strange('landed', { isInterrupted: true }),
  );
  await look();
  fake.clock.pass(24 * 3_600_000);
  await look();
  become('error');
  find(strange('landed'));
  await look();
  const { token } = await fake.find(id);
  const claim = await fake.ledger.read((tx) => tx.claims.find(token ?? 0));
  expect([claim?.provable, (await fake.find(id)).state]).toEqual([true, 'injected']);
});

test('rule 50: while its turn runs nothing is decided', async () => {
  const { fake, id, parcel, look, become } = await injected();
  become('starting');
  await look();
  fake.clock.pass(hookLandMs);
  await look();
  const claim = await fake.ledger.read((tx) => tx.claims.find(parcel.claim.token));
  expect([claim?.provable, (await fake.find(id)).state]).toEqual([true, 'injected']);
});
