import { expect, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import type { AttemptTrace } from '../providers/way-in.ts';
import { loseSight } from './claim.ts';
import { createEvidenceMemory } from './evidence-memory.ts';
import { handOut } from './hand-out.ts';
import { evidenceMs } from './judge-attempt.ts';
import { leaveHandedOut, loseHandedOut, noteInterruption } from './lose-handed-out.ts';
import { offerPulledAgain } from './offer-again.ts';
import { settleDue } from './settle-due.ts';
import { settleHandedOut } from './settle-handed-out.ts';

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

test('rule 17: where only the screen tells of turn ends, a rest loses nothing', async () => {
  const { fake, recipient, memory } = await setUp();
  const { ways, view } = recipient;
  const shown = { ...recipient, ways: { ...ways, showsTurnEnds: true } as const };
  const idle = { ...shown, view: () => ({ ...view(), status: 'idle' }) as const };
  fake.clock.pass(10 * evidenceMs);
  expect(await loseHandedOut(fake.parts, idle, memory)).toBe(0);
  // An error on its screen is no answer.
  await loseHandedOut(fake.parts, shown, memory);
  fake.clock.pass(evidenceMs);
  expect(await loseHandedOut(fake.parts, shown, memory)).toBe(1);
});

test('rule 17: while the agent works nothing is lost', async () => {
  const { fake, memory, state } = await setUp();
  const works = fake.recipient({ view: () => ({ status: 'processing', composer: 'unknown' }) });
  fake.clock.pass(10 * evidenceMs);
  expect(await loseHandedOut(fake.parts, works, memory)).toBe(0);
  expect(await state()).toBe('injected');
});

test('rules 17, 42b: an answer in another conversation says nothing about what was taken in the one before', async () => {
  const { fake, recipient, state, id } = await setUp();
  const { parts, ledger, clock } = fake;
  await ledger.write((tx) => leaveHandedOut(tx, clock.now(), agent));
  expect(await settleHandedOut(parts, agent)).toBe(0);
  expect(await state()).toBe('uncertain');
  expect(await offerPulledAgain(parts, recipient)).toBe(1);
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: true });
});

test('rules 7, 10: what the agent had read before it took it with a command that died does not come again', async () => {
  const fake = await FakeDelivery.open();
  const { parts, ledger, clock, hosts } = fake;
  const { id } = await fake.send();
  // It went in, and whoever carried it died before that was written down.
  const dying = { clock, host: hosts.start() };
  const { claim } = await fake.pack('native');
  await ledger.write((tx) => loseSight(tx, clock.now(), claim, { code: 'holder-died', cause: '' }));
  const request = { recipient: agent, epoch: 1, max: undefined, by: 'it', isInTerminal: true };
  await handOut(ledger, dying, request);
  hosts.kill(dying.host.identity.pid);
  await ledger.write((tx) => settleDue(tx, parts.surroundings, agent));
  expect((await fake.find(id)).state).toBe('uncertain');
  const seen = { found: 'seen', evidence: 'the records' } as const;
  const judge = async (traces: readonly AttemptTrace[]) =>
    traces.map(({ mark }) => (mark === claim.mark ? seen : { ...seen, found: 'none' as const }));
  const recipient = fake.recipient({ evidence: { judge, close: () => undefined } });
  expect(await offerPulledAgain(parts, recipient)).toBe(0);
  expect((await fake.find(id)).state).toBe('seen');
});
