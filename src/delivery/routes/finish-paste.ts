import type { ActStep, Claim } from '../../messages/claim.ts';
import type { KeyObstacle } from '../../terminals/writing.ts';
import { waitsForPerson } from '../key-obstacles.ts';
import type { DeliveryParts } from '../parts.ts';
import { isPen, type Recipient } from '../recipient.ts';
import { rewriteAttempt } from '../rewrite-attempt.ts';
import { mayHoldText } from './holds-text.ts';
import { Paste } from './paste.ts';

/**
 * Rule 12: we died, or lost sight, after the paste and before Enter. While the composer holds
 * exactly the attempt's text, it is finished with Enter; the evidence says the rest. Anything else
 * in there is a person's draft: nothing is pressed, and the message waits. What was entered already
 * and stands there was put back by an interruption, and is the person's too; so is what a person
 * typed at before Enter (`left`).
 *
 * `sent`: Enter was pressed, and it is gone from there. `blocked`: it stands there, and waits for
 * what a person has made of the terminal (rule 45). `left`: nothing was pressed.
 */
export async function finishPaste(
  parts: DeliveryParts,
  { pen, view, ways }: Recipient,
  claim: Claim,
): Promise<Finished> {
  const { atRestSince, composer } = view();
  if (claim.route !== 'paste' || claim.step !== 'pasted' || !isPen(pen)) return left;
  if (atRestSince === undefined || !mayHoldText(composer)) return left;
  const text = await parts.ledger.read((tx) => rewriteAttempt(tx, claim, ways));
  if (text === undefined) return left;
  const note = (step: ActStep): Promise<void> =>
    parts.ledger.write((tx) => tx.claims.note(claim.token, { step }), { haste: 'last' });
  const paste = Paste.found(parts, pen, view, { text, since: claim.takenAtMs, note });
  const objection = await paste.look();
  if (waitsForPerson(objection)) return { outcome: 'blocked', obstacle: objection.code };
  if (objection !== undefined) return left;
  return (await paste.verify()).outcome === 'taken' ? sent : left;
}

export type Finished =
  | { readonly outcome: 'sent' | 'left' }
  | { readonly outcome: 'blocked'; readonly obstacle: KeyObstacle };

const sent: Finished = { outcome: 'sent' };
const left: Finished = { outcome: 'left' };
