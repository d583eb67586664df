import type { Epoch } from '../agents/epoch.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * Where this life's CLI took the tasks that are still owed. A turn that holds one may go on, and
 * end while there is no daemon, in a conversation that a person has left.
 */
export async function findOwedReceipts(
  tx: LedgerTransaction,
  { agent, epoch }: Pick<Epoch, 'agent' | 'epoch'>,
): Promise<readonly string[]> {
  const receipts: string[] = [];
  for (const { task } of await tx.debts.listOwedBy(agent)) {
    const { token } = (await tx.messages.find(task)) ?? {};
    const claim = token === undefined ? undefined : await tx.claims.find(token);
    if (claim?.epoch === epoch && claim.receipt !== undefined) receipts.push(claim.receipt);
  }
  return receipts;
}
