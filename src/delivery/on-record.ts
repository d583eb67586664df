import { signalbox } from '../agents/agent.ts';
import type { Claim } from '../messages/claim.ts';
import type { Evidence, Finding } from '../providers/way-in.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import { askEvidence } from './follow-evidence.ts';
import type { DeliveryParts } from './parts.ts';
import { traceOf } from './read-open.ts';
import { reminderKey } from './settle-debt.ts';

/**
 * What an agent's records say about the attempts that brought it what it owes, by their tokens. Of
 * an attempt in neither set the records tell nothing.
 */
export interface OnRecord {
  /** It stands in a conversation. */
  readonly in: ReadonlySet<number>;
  /** It stands in none: the CLI took it out again, keeps it in a queue, or never got it. */
  readonly out: ReadonlySet<number>;
}

export const nothingOnRecord: OnRecord = { in: new Set(), out: new Set() };

interface Asked {
  readonly agent: string;
  readonly epoch: number;
  readonly evidence: Evidence | undefined;
}

/**
 * Asks the records about every task that an agent owes an answer to, and about what reminds of it.
 * Some CLIs drop the prompt of a turn that a person interrupted (Gemini CLI 0.61.0): the next turn
 * there may not answer it (rule 9). `onRemoved` hears of those.
 */
export async function readOnRecord(
  parts: Pick<DeliveryParts, 'log'> & { readonly ledger: Ledger },
  { agent, epoch, evidence }: Asked,
  onRemoved: (claim: Claim, finding: Finding) => void = () => undefined,
): Promise<OnRecord> {
  if (!evidence) return nothingOnRecord;
  const asked = await parts.ledger.read(async (tx) => {
    const claims = await listClaims(tx, agent);
    const life = { agent, epoch };
    return await Promise.all(
      claims.map(async (claim) => ({ claim, trace: await traceOf(tx, life, claim) })),
    );
  });
  if (asked.length === 0) return nothingOnRecord;
  const findings = await askEvidence(
    parts,
    evidence,
    asked.map(({ trace }) => trace),
  );
  const found = { in: new Set<number>(), out: new Set<number>() };
  for (const [i, { claim, trace }] of asked.entries()) {
    const finding = findings[i];
    const place = finding && placeOf(finding);
    if (place) found[place].add(claim.token);
    if (finding?.found === 'removed' && trace.isAlive) onRemoved(claim, finding);
  }
  return found;
}

function placeOf({ found, isUnrecognised, isPassedOver }: Finding): 'in' | 'out' | undefined {
  if (isPassedOver) return 'out';
  if (isUnrecognised) return undefined;
  if (found === 'seen' || found === 'landed') return 'in';
  return found === 'removed' || found === 'held' || found === 'absent' ? 'out' : undefined;
}

/**
 * A record can tell of those alone that carry a mark: not of what the agent fetched with a tool.
 */
async function listClaims(tx: LedgerTransaction, agent: string): Promise<readonly Claim[]> {
  const claims = new Map<number, Claim>();
  for (const debt of await tx.debts.listOwedBy(agent)) {
    const reminder = await tx.messages.findByKey(signalbox.id, reminderKey(debt));
    for (const id of reminder ? [debt.task, reminder.id] : [debt.task]) {
      for (const { token, outcome } of await tx.claims.listAttempts(id)) {
        const claim = outcome === 'not-landed' ? undefined : await tx.claims.find(token);
        if (claim?.provable && claim.route !== 'pull') claims.set(token, claim);
      }
    }
  }
  return [...claims.values()];
}
