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
 * Whether the composer holds this text alone, as it was pasted, folded or not. Asked by somebody
 * who has seen it there ever since the paste; a fold has no words by which it could be told from
 * another.
 */
export function holdsWhole(look: PenLook, text: string): boolean {
  return mayHoldText(look.composer) && (isExactly(look, text) || isFold(look, text));
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
 * them nothing. The cursor stands where it ends: a text that was sent stands on the screen, too.
 */
function isExactly({ lines, cursor }: PenLook, text: string): boolean {
  const first = text.split('\n')[0] ?? '';
  const last = text.split('\n').at(-1) ?? '';
  const start = lines.findIndex(
    (line) => bare(line).endsWith(bare(first)) && !bare(line).includes(bare(last)),
  );
  const end = lines.findIndex((line, i) => i > start && bare(line).startsWith(bare(last)));
  if (cursor !== undefined && cursor.y !== end) return false;
  if (start < 0 || end < 0 || !isBorder.test(lines[end + 1] ?? '')) return false;
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
function isFolded(look: PenLook, text: string, since: number): boolean {
  return (look.humanKeyAt ?? Number.NEGATIVE_INFINITY) < since && isFold(look, text);
}

function isFold({ lines, cursor, composer }: PenLook, text: string): boolean {
  if (composer !== 'draft') return false;
  if (cursor !== undefined && !foldedPaste.test(bare(lines[cursor.y] ?? ''))) return false;
  const folds = lines.flatMap((line) => foldedPaste.exec(bare(line))?.[1] ?? []);
  const breaks = text.split('\n').length - 1;
  const [only] = folds;
  return folds.length === 1 && (Number(only) === breaks || Number(only) === breaks + 1);
}

/** Below the text nothing more was typed: there is no row, an empty one, or one of the frame. */
const isBorder = /^[\s│┃|▌─━═╰╯└┘┗┛╹▀▄▁▔]*$/u;

/** The whole row, without space and frames. */
const foldedPaste = /^\[Pastedtext(?:#\d+\+|:)(\d+)lines\]$/i;

/** Without space, frames and prompts. */
function bare(line: string): string {
  return line.replaceAll(/[\s│┃|>❯›▌]/gu, '');
}
