import type { Agent } from '../agents/agent.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * Whether a request of this agent's comes out of a terminal of ours: what it is handed goes to its
 * model, and counts as taken only when that went on (rule 17).
 */
export async function isRunning(
  tx: LedgerTransaction,
  { id, backend, epoch }: Agent,
): Promise<boolean> {
  if (backend === 'none') return false;
  const life = await tx.epochs.find(id, epoch);
  return life !== undefined && life.endedAt === undefined;
}
