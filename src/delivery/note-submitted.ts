import type { Claim } from '../messages/claim.ts';
import { findPastedMark } from '../messages/prompt.ts';
import { isSameText } from '../messages/same-text.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { DeliveryParts } from './parts.ts';
import type { Ways } from './recipient.ts';
import { listMessagesOf } from './rewrite-attempt.ts';
import { write } from './write-attempt.ts';

/**
 * A hook told that this text was submitted: marks of ours in it are noted, and whether a prompt
 * that we pasted is word for word ours. A mark stands in every text of ours; more than a few are no
 * prompt of one attempt.
 */
export async function noteSubmitted(
  { ledger }: Pick<DeliveryParts, 'ledger'>,
  agent: string,
  text: string,
  ways: Pick<Ways, 'syntax' | 'tellsSubmitted'> | undefined,
): Promise<void> {
  const marks = new Set(text.match(/mark_[0-9a-z_]{16,120}/g)?.slice(0, 20));
  for (const mark of marks) {
    const claim = await ledger.read((tx) => tx.claims.findByMark(mark));
    if (!claim || claim.recipient !== agent || claim.isSubmitted) continue;
    const isPrompt = claim.route === 'paste' && findPastedMark(text) === mark;
    await ledger.write(async (tx) => {
      // Another report may have been noted since.
      if ((await tx.claims.find(claim.token))?.isSubmitted !== false) return;
      const isCompared = isPrompt && ways?.tellsSubmitted === 'exactly';
      const isAltered = isCompared && !isSameText(await rewrite(tx, claim, ways), text);
      const note = { isSubmitted: true, ...(isAltered ? { isAltered } : {}) } as const;
      await tx.claims.note(claim.token, note);
    });
  }
}

async function rewrite(
  tx: LedgerTransaction,
  claim: Claim,
  ways: Pick<Ways, 'syntax'>,
): Promise<string> {
  return (await write(tx, claim, await listMessagesOf(tx, claim), ways)).text;
}
