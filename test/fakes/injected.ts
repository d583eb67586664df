import type { AgentStatus } from '../../src/agents/agent.ts';
import type { Composer } from '../../src/agents/status.ts';
import { loseSight } from '../../src/delivery/claim.ts';
import { commit } from '../../src/delivery/deliver.ts';
import { createEvidenceMemory } from '../../src/delivery/evidence-memory.ts';
import { followEvidence, passBoundary } from '../../src/delivery/follow-evidence.ts';
import type { NativeWay, Ways } from '../../src/delivery/recipient.ts';
import type { Route } from '../../src/messages/claim.ts';
import type { Evidence, Finding } from '../../src/providers/way-in.ts';
import { FakeDelivery } from './delivery.ts';

/** One message, injected; what the records say of it; and an agent at rest. */
export async function injected(
  route: Route = 'native',
  more: Partial<Ways> = {},
  standing: 'prompt' | 'notice' = 'notice',
) {
  const fake = await FakeDelivery.open();
  const memory = createEvidenceMemory();
  let finding: Omit<Finding, 'evidence'> = { found: 'none' };
  let composer: Composer = 'empty';
  let humanKeyAt = 0;
  let releases = 0;
  let withdrawal: () => 'withdrawn' | 'unknown' = () => 'unknown';
  const evidence: Evidence = {
    judge: async (attempts) => attempts.map(() => ({ ...finding, evidence: 'a record' })),
    close: () => undefined,
  };
  const native: NativeWay = {
    blocked: () => undefined,
    inject: async () => ({ outcome: 'taken' }),
    release: async () => void releases++,
    withdraw: async () => withdrawal(),
    close: () => undefined,
  };
  let atRestSince: number | undefined = fake.clock.monotonicMs();
  let status: AgentStatus = 'idle';
  const view = () => {
    const rest = atRestSince === undefined ? {} : { atRestSince };
    return { status, composer, humanKeyAt, ...rest } as const;
  };
  let recipient = fake.recipient({ evidence, native, view, ways: more });
  const isPrompt = standing === 'prompt';
  const { id } = await fake.send({ isPrompt });
  const parcel = await fake.pack(route, recipient, isPrompt ? { standing: 'prompt' } : {});
  await commit(fake.parts, parcel, 'in');
  return {
    fake,
    id,
    parcel,
    memory,
    look: () => followEvidence(fake.parts, recipient, memory),
    pass: () => passBoundary(fake.parts, recipient, memory),
    say: (found: Finding['found'], because?: Finding['because']) => {
      finding = { found, ...(because === undefined ? {} : { because }) };
    },
    find: (next: Omit<Finding, 'evidence'>) => {
      finding = next;
    },
    restart: () => {
      recipient = { ...recipient, epoch: recipient.epoch + 1 };
    },
    work: () => {
      status = 'processing';
      atRestSince = undefined;
    },
    /** Since now, after it has worked. */
    rest: () => {
      status = 'idle';
      atRestSince = fake.clock.monotonicMs();
    },
    compose: (next: Composer) => {
      composer = next;
    },
    type: () => {
      humanKeyAt = fake.clock.monotonicMs();
    },
    releases: () => releases,
    withdraws: (answer: typeof withdrawal) => {
      withdrawal = answer;
    },
    state: async () => (await fake.find(id)).state,
    lose: async () => {
      const { token } = parcel.claim;
      await fake.ledger.write(async (tx) => {
        const held = await tx.claims.find(token);
        if (held)
          await loseSight(tx, fake.clock.now(), held, { code: 'holder-died', cause: 'we died' });
      });
    },
  };
}
