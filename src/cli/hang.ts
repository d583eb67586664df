import { fold } from './output.ts';

/**
 * The text of a row behind a margin: on a terminal it goes on below itself, broken between words; a
 * pipe (`columns` undefined) gets one line.
 */
export function hang(text: string, columns: number | undefined, margin: number): string {
  if (columns === undefined) return text;
  return fold(text, Math.max(20, columns - margin)).join(`\n${' '.repeat(margin)}`);
}
