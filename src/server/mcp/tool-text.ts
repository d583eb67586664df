import { createHash } from 'node:crypto';
import { shortMark } from '../../messages/envelope.ts';
import { neutralise } from '../../messages/neutralise.ts';

/**
 * What stands between two lines with a secret: each line of ours in it carries that secret, and all
 * else was neutralised.
 */
export class Fenced {
  readonly text: string;

  constructor(mark: string, lines: readonly string[]) {
    this.text = [`<signalbox ${mark}>`, ...lines, `</signalbox ${shortMark(mark)}>`].join('\n');
  }
}

/** The words of a tool's result, line by line. */
export type ToolText = readonly (string | Fenced)[];

/**
 * The one gate between a tool and a model (rule 47): whatever a tool says may hold names, details
 * and words of others, and only what stands in a fence of ours keeps its lines.
 */
export function writeText(text: ToolText): string {
  return text.map((line) => (line instanceof Fenced ? line.text : neutralise(line))).join('\n');
}

/**
 * The mark of the fences in the answer to one call: unguessable as its line is, and known again
 * from that line, so that the records of a CLI tell what this answer held (rules 7, 17).
 */
export function markOf(line: string): string {
  const digest = createHash('sha256').update(`fence of ${line}`).digest();
  return `box_${Array.from(digest.subarray(0, 16), (byte) => (byte % 32).toString(32)).join('')}`;
}
