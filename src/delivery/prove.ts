import { createLateProofNotice } from '../messages/bounce.ts';
import { limits, type Message } from '../messages/message.ts';
import { canMove } from '../messages/transitions.ts';
import { truncate } from '../messages/truncate.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { releaseFromClaim } from './acknowledge.ts';
import { tellSender } from './tell-sender.ts';

/**
 * Evidence from the agent's side: the model has produced output for an input that holds this attempt's mark (rule 6).
 * It counts for every mark of ours that is not proven not landed, however late (rules 7, 36). Returns the ids that became
 * `seen`.
 */
export async function prove(
  tx: LedgerTransaction,
  at: number,
  proof: { mark: string; evidence: string },
): Promise<readonly string[]> {
  const claim = await tx.claims.findByMark(proof.mark);
  if (!claim) return [];
  const epoch = (await tx.agents.find(claim.recipient))?.epoch ?? claim.epoch;
  const inContext = claim.epoch === epoch;
  const seen: string[] = [];
  for (const attempt of await tx.claims.listAttemptsOf(claim.token)) {
    const message = await tx.messages.find(attempt.messageId);
    if (!message || attempt.outcome === 'not-landed' || !canMove(message.state, 'seen')) continue;
    await tx.messages.move([message.id], {
      from: message.state,
      to: 'seen',
      at,
      cause: `read by the model (attempt ${claim.token})`,
      evidence: truncate(proof.evidence, limits.reason).text,
      set: { inContext, reason: null },
    });
    // A later claim that holds it has not acted yet: that act is abandoned. One that has acted keeps its own outcome.
    if (message.token !== claim.token && message.state === 'claimed') {
      await releaseFromClaim(tx, at, message, 'abandoned');
    }
    await tx.claims.setOutcome([message.id], claim.token, 'seen');
    await tx.claims.endIfEmpty(claim.token, at);
    if (message.state === 'dead' || message.state === 'expired') {
      const write = (m: Message, name: string) =>
        createLateProofNotice(m, name, 'read by the model');
      await tellSender(tx, at, message, write);
    }
    seen.push(message.id);
  }
  return seen;
}
