// Tests: test/contracts/hand-out.test.ts.

import type { Attempt } from '../messages/claim.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * Of messages whose bodies are still to be handed out, in order, their present attempt: named in a
 * text that went in (pointers, rule 13), or handed out in part by a call before. What another call
 * has taken and not yet confirmed is not among them: its claim holds it (rule 18).
 */
export async function listBegun(
  tx: LedgerTransaction,
  recipient: string,
  epoch: number,
): Promise<readonly Attempt[]> {
  const found: Attempt[] = [];
  for (const attempt of await tx.claims.listByHand(recipient)) {
    if (attempt.handedOutAt !== undefined) continue;
    if (attempt.isPointer || (await isBegun(tx, { ...attempt, epoch }))) found.push(attempt);
  }
  return found;
}

/**
 * At least one part of it has arrived in that life: the agent asks for the others when it likes,
 * whoever handed out the first.
 */
export async function isBegun(
  tx: LedgerTransaction,
  { messageId, epoch }: Pick<Attempt, 'messageId' | 'epoch'>,
): Promise<boolean> {
  const parts = await tx.parts.list(messageId);
  return parts.some((part) => part.epoch === epoch && part.state !== 'out');
}
