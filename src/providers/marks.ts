import { closeFence } from '../messages/envelope.ts';
import { findPromptMark } from '../messages/prompt.ts';
import { isSameText } from '../messages/same-text.ts';

/**
 * Every mark of ours that stands in a text. They are unguessable, so one that is there was put
 * there by us (rule 7).
 */
export function findMarks(text: string): readonly string[] {
  return text.includes(prefix) ? [...new Set(text.match(pattern) ?? [])] : [];
}

/**
 * Whether a prompt that was pasted holds more than the text with this mark, or not all of it: a
 * person typed into it, or the CLI put something in. `pasted` is that text; where nobody can write
 * it any more, a notice is known by its two fences, and of the user's own words only their
 * beginning. Up to 0.1.0 the last line held the whole mark.
 */
export function isMixed(text: string, mark: string, pasted?: string): boolean {
  const bare = text.trim();
  if (pasted !== undefined) return !isSameText(pasted.trim(), bare);
  if (findPromptMark(bare) === mark) return false;
  const isClosed = [closeFence(mark), `</signalbox ${mark}>`].some((end) => bare.endsWith(end));
  return !bare.startsWith(`<signalbox ${mark}>`) || !isClosed;
}

/** What the evidence says of such a prompt. */
export const mixedWords = ', in which not the message alone stands,';

const prefix = 'mark_';
/** As a claim makes them: 16 letters; those of older versions are an id, and a secret after it. */
const pattern = /mark_\w{16,}/g;
