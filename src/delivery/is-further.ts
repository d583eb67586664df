// Tests: src/delivery/is-further.test.ts.

import { wasLeft } from '../agents/epoch.ts';
import { wantsAnswer } from '../messages/envelope.ts';
import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { ClaimRequest } from './claim.ts';

/**
 * Whether a text for a busy agent goes into the CLI's own queue behind another of ours that waits
 * there unread: the model reads that one first, in the same conversation, and it says what our
 * lines are and how to answer. Once it is read, or nobody knows where it is, the next text says so
 * again: the conversation may have been left or summed up since (rule 14).
 */
export async function isFurther(
  tx: LedgerTransaction,
  { recipient, route, epoch, isBehindTurn, standing = 'notice' }: ClaimRequest,
  messages: readonly Message[],
): Promise<boolean> {
  if (route !== 'native' || !isBehindTurn || standing !== 'notice') return false;
  const life = await tx.epochs.find(recipient, epoch);
  for (const claim of await tx.claims.listUnproven(recipient)) {
    const isThere = claim.route === 'native' && claim.epoch === epoch && !wasLeft(life, claim.at);
    if (!isThere || claim.isFurther) continue;
    const unread = await tx.claims.listCarried(claim, 'injected');
    const isFenced = unread.length > 0 && unread.every(({ carriedAs }) => carriedAs === 'notice');
    if (isFenced && (unread.some(wantsAnswer) || !messages.some(wantsAnswer))) return true;
  }
  return false;
}
