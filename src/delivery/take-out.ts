import type { Claim } from '../messages/claim.ts';
import type { Message } from '../messages/message.ts';
import type { Finding } from '../providers/way-in.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { returnToQueue } from './return-to-queue.ts';
import { takeBack } from './take-back.ts';

/**
 * The CLI took an attempt out of the conversation again, because the turn that held it was
 * cancelled or failed (rule 9): its messages are queued once more. One that was `seen` goes back
 * only once, and its next copy says that it may be a repeat. So does that of one whose turn was
 * cancelled or whose stream broke: the model may have begun on it (rule 49). Only a request that
 * was refused before any output leaves the next copy unmarked. A failure of the model's API is not
 * counted as an attempt that did not land (rule 34).
 */
export async function takeOut(
  tx: LedgerTransaction,
  at: number,
  claim: Claim,
  { evidence, because }: Pick<Finding, 'evidence' | 'because'>,
): Promise<number> {
  let moved = 0;
  for (const attempt of await tx.claims.listAttemptsOf(claim.token)) {
    const message = await tx.messages.find(attempt.messageId);
    if (!message || message.token !== claim.token || !mayGoBack(message)) continue;
    const wasSeen = message.state === 'seen';
    // A prompt that a person interrupted is theirs: nobody says it for them again (rule 51d).
    if (message.carriedAs === 'prompt' && because === 'interrupted') {
      if (wasSeen) await tx.messages.setInContext(message.id, false);
      else await takeBack(tx, at, message, evidence);
      continue;
    }
    const cause = `the CLI took it out of the conversation: ${evidence}`;
    const set = wasSeen
      ? ({ wasTakenBack: true, mayRepeat: true, inContext: false } as const)
      : { mayRepeat: message.mayRepeat || because !== 'refused' };
    const why = { code: 'taken-out', cause } as const;
    if ((await returnToQueue(tx, at, message, why, { set })) === undefined) continue;
    // What the model may have begun on is not proven not landed, whatever becomes of the next copy.
    const outcome = because === 'refused' ? 'not-landed' : 'uncertain';
    await tx.claims.setOutcome([message.id], claim.token, wasSeen ? 'seen' : outcome);
    moved++;
  }
  return moved;
}

function mayGoBack(message: Message): boolean {
  if (message.state === 'seen') return !message.wasTakenBack;
  return message.state === 'injected' || message.state === 'uncertain';
}
