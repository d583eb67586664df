import type { Answer } from './provider.ts';

/**
 * How a CLI paints a conversation as plain text. Every pattern is tried on one line without its
 * trailing blanks.
 */
export interface Painting {
  /** A prompt that was sent; not the composer. */
  readonly prompt: RegExp;
  /** The first line of anything the agent says or does. */
  readonly block: RegExp;
  /** Blocks that are no answer: tools, spinners, errors. */
  readonly isNoAnswer: RegExp;
  /** What ends a block, besides the next one and the next prompt. */
  readonly end: RegExp;
  /** A tool's result; the line above it is the tool's. */
  readonly result: RegExp;
  /** Stands below the answer while it is still being written. */
  readonly busy: RegExp;
}

/**
 * Cuts the last answer out of what a terminal still holds: the last block of text after the last
 * prompt. Without a prompt above it the beginning may be lost, and while the agent works its end is
 * to come: both are `isPartial`. Undefined when that cannot be told.
 */
export function cutAnswer(text: string, painting: Painting): Answer | undefined {
  let lines: string[] = [];
  let answer: string[] | undefined;
  let isBelowTool = false;
  let isBusy = false;
  // From the end: a scrollback of megabytes holds many turns, and only its last one matters.
  for (let end = text.length; end >= 0; ) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trimEnd();
    end = start - 1;
    if (painting.prompt.test(line)) {
      if (answer) return join(answer, isBusy);
      // Text without a block's mark: the rest of a long prompt, or of an answer below a prompt that
      // stays in view.
      return lines.some((below) => below !== '') ? undefined : { kind: 'no-response' };
    }
    if (answer) continue;
    isBusy ||= painting.busy.test(line);
    const isResult = painting.result.test(line);
    if (isResult || isBelowTool || painting.end.test(line)) lines = [];
    else lines.push(line);
    const isText = !isBelowTool && !painting.isNoAnswer.test(line);
    isBelowTool = isResult;
    if (!painting.block.test(line)) continue;
    if (isText) answer = lines;
    else lines = [];
  }
  return answer && join(answer, true);
}

/**
 * Of lines that were found last to first: without the bullet and the indentation that hangs below
 * it.
 */
function join(found: readonly string[], isPartial: boolean): Answer {
  const [first = '', ...rest] = found.toReversed();
  const lines = [first.replace(/^\s*\S+ /, ''), ...rest.map((line) => line.replace(/^ {1,2}/, ''))];
  return { kind: 'answer', text: lines.join('\n').trim(), isPartial };
}
