// Tests: src/delivery/routes/finish-paste.test.ts.

import type { WaitReason } from '../../messages/wait-reason.ts';
import type { PenLook } from '../recipient.ts';
import { isTyping } from './judge-look.ts';

/** A text that was pasted, and the monotonic time before which that was not yet so. */
export interface PastedText {
  readonly text: string;
  readonly since: number;
}

/**
 * Why Enter must not be pressed for a text that an earlier life has left in the composer (rule 12);
 * undefined when it may.
 */
export function objectToFound(
  look: PenLook | 'gone',
  { text, since }: PastedText,
  askedAt: number,
): WaitReason | undefined {
  if (look === 'gone') return { code: 'terminal-ended' };
  const isOurs = isExactly(look, text) || isFolded(look, text, since);
  if (!mayHoldText(look.composer) || isTyping(look, askedAt) || !isOurs)
    return { code: 'composer-not-ours' };
  return look.obstacle === undefined ? undefined : { code: look.obstacle };
}

/**
 * A program that is only described by its empty composer never shows a draft as such; the text
 * itself decides.
 */
export function mayHoldText(composer: PenLook['composer']): boolean {
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
