import { afterEach, expect, test, vi } from 'vitest';
import { loseSight } from '../../src/delivery/claim.ts';
import { commit } from '../../src/delivery/deliver.ts';
import { createEvidenceMemory } from '../../src/delivery/evidence-memory.ts';
import { followEvidence } from '../../src/delivery/follow-evidence.ts';
import { evidenceMs } from '../../src/delivery/judge-attempt.ts';
import type { Evidence } from '../../src/providers/way-in.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { FakeDelivery, fakeAgentId } from '../fakes/delivery.ts';
import { failingFiles } from '../support/failing-files.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openFinder } from './open-finder.ts';
import { conversation, type Finder, finders } from './record-finders.ts';

vi.mock('node:fs', async (original) => {
  const { failingFiles: files } = await import('../support/failing-files.ts');
  return files.wrapSync(await original<typeof import('node:fs')>());
});
vi.mock('node:fs/promises', async (original) => {
  const { failingFiles: files } = await import('../support/failing-files.ts');
  return files.wrapPromises(await original<typeof import('node:fs/promises')>());
});

let passedMs = 0;
const monotonicMs = systemClock.monotonicMs;
vi.spyOn(systemClock, 'monotonicMs').mockImplementation(() => monotonicMs() + passedMs);

afterEach(() => void failingFiles.end());

/** More looks than any of them needs to come to an end. */
const mostLooks = 20;

test.each(finders.map((finder) => [finder.provider.name, finder.name, finder] as const))(
  'rules 10, 41: %s, %s: while its records cannot be read no unmarked copy is ever offered',
  async (_, __, finder) => {
    const { home, openEvidence } = await openFinder(finder);
    // With records that can be read it is proven not landed, and its next copy is a first one.
    const readable = await carry(finder, home, openEvidence());
    expect(readable.states.at(-1)).toBe('queued');
    expect(await readable.next()).not.toContain('MAY BE A REPEAT');
    for (const at of readable.calls) {
      const what = `EMFILE at each ${at}`;
      const broken = await carry(finder, home, openEvidence(), at);
      expect(broken.states, what).toEqual(['uncertain', 'queued']);
      expect(await broken.next(), what).toContain('MAY BE A REPEAT');
    }
  },
);

/** One message, taken by an agent that dies or rests, and followed until it is queued again. */
async function carry(finder: Finder, home: string, evidence: Evidence, failAt?: string) {
  const fake = await FakeDelivery.open();
  const { route, isAlive, receipt, conversation: id = conversation } = finder.attempt;
  for (const epoch of [1, 2]) await insertLife(fake, epoch, id);
  const atRestSince = fake.clock.monotonicMs();
  const view = () => ({ status: 'idle', composer: 'empty', atRestSince }) as const;
  const { waitingHook, provable } = finder.provider.capabilities;
  const ways = { hasWaitingHook: waitingHook === true, provable };
  const recipient = fake.recipient({ evidence: onceJoined(evidence), view, ways });
  const { id: message } = await fake.send({ urgent: route === 'mid-turn' });
  const { claim, ...parcel } = await fake.pack(route, recipient);
  const note = { step: 'begun', ...(receipt === undefined ? {} : { receipt }) } as const;
  await fake.ledger.write((tx) => tx.claims.note(claim.token, note));
  await commit(fake.parts, { claim, ...parcel }, 'in');
  if (!isAlive) {
    await fake.ledger.write((tx) =>
      loseSight(tx, fake.clock.now(), claim, { code: 'life-ended', cause: 'its process ended' }),
    );
  }
  const now = isAlive ? recipient : { ...recipient, epoch: 2 };
  const memory = createEvidenceMemory();
  const states: string[] = [];
  const calls = new Set<string>();
  for (let looks = 0; looks < mostLooks && states.at(-1) !== 'queued'; looks++) {
    fake.clock.pass(evidenceMs);
    passedMs += evidenceMs;
    const failure =
      failAt === undefined ? {} : { failure: { at: failAt, code: 'EMFILE' as const } };
    const { aside } = finder;
    failingFiles.begin(home, { ...failure, ...(aside === undefined ? {} : { aside }) });
    await followEvidence(fake.parts, now, memory);
    for (const call of failingFiles.end().calls) calls.add(call);
    const { state } = await fake.find(message);
    if (state !== states.at(-1) && state !== 'injected') states.push(state);
  }
  const next = async (): Promise<string> => (await fake.pack('native', now)).text;
  return { states, calls, next };
}

/**
 * Asks again while a server cannot be asked: each look takes minutes of the test's clock, and on a
 * busy machine all of them were over before the connection stood. Then nothing could be proven.
 */
function onceJoined(evidence: Evidence): Evidence {
  return {
    judge: async (attempts) => {
      let findings = await evidence.judge(attempts);
      await waitUntil('its servers', async () => {
        if (!findings.some(({ isUnasked }) => isUnasked)) return true;
        findings = await evidence.judge(attempts);
        return false;
      });
      return findings;
    },
    close: () => evidence.close(),
  };
}

async function insertLife(fake: FakeDelivery, epoch: number, id: string): Promise<void> {
  await fake.ledger.write((tx) =>
    tx.epochs.insert({
      agent: fakeAgentId,
      epoch,
      backend: 'tmux',
      provider: 'p',
      argv: [],
      extraArgs: [],
      conversation: id,
      tokenHash: `${epoch}`,
      startedAt: 0,
    }),
  );
}
