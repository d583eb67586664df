import type { Claim } from '../../messages/claim.ts';
import { keyObstacles } from '../key-obstacles.ts';
import type { DeliveryParts } from '../parts.ts';
import { humanQuietMs } from '../pick-route.ts';
import type { PenLook, Recipient } from '../recipient.ts';
import { rewriteAttempt } from '../rewrite-attempt.ts';
import { enter } from './paste.ts';

/**
 * Rule 12: we died, or lost sight, after the paste and before Enter. While the composer holds
 * exactly the attempt's text, it is finished with Enter; the evidence says the rest. Anything else
 * in there is a person's draft: nothing is pressed, and the message waits. What was entered already
 * and stands there was put back by an interruption, and is the person's too.
 *
 * `sent`: Enter was pressed, and it is gone from there. `blocked`: it stands there, and waits for
 * what a person has made of the terminal (rule 45). `left`: nothing was pressed.
 */
export async function finishPaste(
  parts: DeliveryParts,
  { pen, view }: Recipient,
  claim: Claim,
): Promise<Finished> {
  const { atRestSince, composer } = view();
  if (claim.route !== 'paste' || claim.step !== 'pasted' || typeof pen === 'string') return left;
  if (atRestSince === undefined || !mayHoldText(composer)) return left;
  const text = await parts.ledger.read((tx) => rewriteAttempt(tx, claim));
  if (text === undefined) return left;
  // A key that is pressed while the look is on its way must count as one that came after it.
  const askedAt = parts.surroundings.clock.monotonicMs();
  const look = await pen.look();
  if (look === 'gone' || !mayHoldText(look.composer)) return left;
  if (askedAt - (look.humanKeyAt ?? Number.NEGATIVE_INFINITY) < humanQuietMs) return left;
  if (!isExactly(look, text) && !isFolded(look, text, claim.takenAtMs)) return left;
  if (look.obstacle !== undefined) return { outcome: 'blocked', why: keyObstacles[look.obstacle] };
  const note = (step: 'pasted' | 'entered'): Promise<void> =>
    parts.ledger.write((tx) => tx.claims.note(claim.token, { step }), { haste: 'last' });
  return (await enter(parts, pen, askedAt, { note })).outcome === 'taken' ? sent : left;
}

export type Finished =
  | { readonly outcome: 'sent' | 'left' }
  | { readonly outcome: 'blocked'; readonly why: string };

const sent: Finished = { outcome: 'sent' };
const left: Finished = { outcome: 'left' };

/**
 * A program that is only described by its empty composer never shows a draft as such; the text
 * itself decides.
 */
function mayHoldText(composer: PenLook['composer']): boolean {
  return composer === 'draft' || composer === 'unknown';
}

/**
 * On the screen text is wrapped and framed; between its two fences it must be this one, and beside
 * them nothing.
 */
function isExactly({ lines }: PenLook, text: string): boolean {
  const first = text.split('\n')[0] ?? '';
  const last = text.split('\n').at(-1) ?? '';
  const start = lines.findIndex(
    (line) => bare(line).endsWith(bare(first)) && !bare(line).includes(bare(last)),
  );
  const end = lines.findIndex((line, i) => i > start && bare(line).startsWith(bare(last)));
  if (start < 0 || end < 0) return false;
  return (
    lines
      .slice(start, end + 1)
      .map(bare)
      .join('') === bare(text)
  );
}

/**
 * A long paste is shown as one line, `[Pasted Text: 7 lines]` (Gemini CLI 0.61.0) or
 * `[Pasted text #1 +58 lines]` (Claude Code 2.1.325, which counts the breaks). It is ours if it
 * stands alone, has our number of lines, and nobody has typed since the claim: the paste itself
 * came after that, and a person's own would have taken a key.
 */
function isFolded({ lines, composer, humanKeyAt }: PenLook, text: string, since: number): boolean {
  if (composer !== 'draft' || (humanKeyAt ?? Number.NEGATIVE_INFINITY) >= since) return false;
  const folds = lines.flatMap((line) => foldedPaste.exec(bare(line))?.[1] ?? []);
  const breaks = text.split('\n').length - 1;
  const [only] = folds;
  return folds.length === 1 && (Number(only) === breaks || Number(only) === breaks + 1);
}

/** The whole row, without space and frames. */
const foldedPaste = /^\[Pastedtext(?:#\d+\+|:)(\d+)lines\]$/i;

/** Without space, frames and prompts. */
function bare(line: string): string {
  return line.replaceAll(/[\s│┃|>❯›▌]/gu, '');
}
