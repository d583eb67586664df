import { expect, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { createEvidenceMemory } from './evidence-memory.ts';
import { handOut } from './hand-out.ts';
import { evidenceMs } from './judge-attempt.ts';
import { loseHandedOut, noteInterruption } from './lose-handed-out.ts';
import { offerPulledAgain } from './offer-again.ts';

/**
 * An agent in conversation `one` has drained one message in a turn that is over, and no answer
 * followed.
 */
async function setUp() {
  const fake = await FakeDelivery.open();
  const { parts, ledger, clock } = fake;
  const life = { backend: 'fake', provider: 'fake', argv: [], extraArgs: [], tokenHash: '' };
  await ledger.write((tx) =>
    tx.epochs.insert({ ...life, agent, epoch: 1, startedAt: clock.now(), conversation: 'one' }),
  );
  const { id } = await fake.send();
  const request = { recipient: agent, epoch: 1, max: undefined, by: 'it', isInTerminal: true };
  await (await handOut(ledger, parts.surroundings, request)).finish();
  const atRestSince = clock.monotonicMs();
  const recipient = fake.recipient({
    view: () => ({ status: 'error', composer: 'empty', atRestSince }),
  });
  const memory = createEvidenceMemory();
  const look = () => loseHandedOut(parts, recipient, memory);
  const state = async () => (await fake.find(id)).state;
  return { fake, recipient, memory, look, state, id };
}

test('rule 42d: what the agent took itself in a turn that failed comes again, marked, after a minute at rest', async () => {
  const { fake, recipient, look, state, id } = await setUp();
  await look();
  fake.clock.pass(evidenceMs - 1);
  expect(await look()).toBe(0);
  expect(await state()).toBe('injected');
  fake.clock.pass(1);
  expect(await look()).toBe(1);
  expect(await state()).toBe('uncertain');
  expect(await offerPulledAgain(fake.parts, recipient)).toBe(1);
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: true });
});

test('rule 42c: where a person interrupted that turn it stays in the conversation, until another one is shown', async () => {
  const { fake, recipient, memory, look, state } = await setUp();
  await noteInterruption(fake.parts, recipient, memory, true);
  await look();
  fake.clock.pass(10 * evidenceMs);
  await look();
  expect(await state()).toBe('injected');
  await fake.ledger.write((tx) => tx.epochs.setConversation(agent, 1, 'two'));
  await look();
  expect(await state()).toBe('uncertain');
});

test('rule 17: while the agent works nothing is lost', async () => {
  const { fake, memory, state } = await setUp();
  const works = fake.recipient({ view: () => ({ status: 'processing', composer: 'unknown' }) });
  fake.clock.pass(10 * evidenceMs);
  expect(await loseHandedOut(fake.parts, works, memory)).toBe(0);
  expect(await state()).toBe('injected');
});
