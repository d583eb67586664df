import { readLinesBackwards } from '../../shared/read-lines-backwards.ts';
import { awaitAnswerRecord, type FoundAnswer } from '../await-answer-record.ts';
import { cutAnswer, type Painting } from '../cut-answer.ts';
import { cutHeadless } from '../cut-headless.ts';
import type { AgentContext, Answer } from '../provider.ts';
import { type Entry, findTranscript, readEntry } from './transcript.ts';

/**
 * The last answer of the current conversation; undefined when it has no transcript yet. The record
 * of an answer follows the screen and the Stop hook by some 500 ms (0.24.4), so a turn that looks
 * open is given that time.
 */
export async function readLastAnswer(
  context: AgentContext,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const path = await findTranscript(context);
  if (path === undefined) return undefined;
  return await awaitAnswerRecord(() => readAnswer(path, signal), lagMs, signal);
}

const lagMs = 800;

/**
 * Reads a transcript from its end. A turn that has said nothing yet, or whose prompt was taken back
 * (interrupted before any output), is passed over: the answer before it still is the last one. One
 * that failed or was broken off without a word is `no-response`. What stands in a turn that goes
 * on, or beside a line that cannot be read, is `isPartial` (O5).
 */
async function readAnswer(path: string, signal: AbortSignal): Promise<FoundAnswer> {
  let turn: Turn = {};
  let isOpen: boolean | undefined;
  for await (const line of readLinesBackwards(path, { signal })) {
    const entry: Entry | undefined = line === 'too-long' ? { kind: 'damaged' } : readEntry(line);
    if (entry?.kind !== 'prompt') {
      turn = entry ? extend(turn, entry) : turn;
      continue;
    }
    isOpen ??= goesOn(turn);
    if (turn.text !== undefined) return { answer: toAnswer(turn.text, turn), isOpen };
    if (!goesOn(turn)) return { answer: { kind: 'no-response' }, isOpen };
    turn = { isEarlier: true };
  }
  const { text } = turn;
  const answer = text === undefined ? undefined : toAnswer(text, { ...turn, isDamaged: true });
  return { answer, isOpen: isOpen ?? goesOn(turn) };
}

/** What is known of a turn, from its end. */
interface Turn {
  readonly isEnded?: boolean;
  readonly last?: { readonly callsTools: boolean };
  readonly text?: string;
  readonly isDamaged?: boolean;
  readonly isEarlier?: true;
}

function extend(turn: Turn, entry: Entry): Turn {
  switch (entry.kind) {
    case 'failed':
    case 'cancelled':
      // Before a later answer it was a try that was repeated, or a tool that the model did without.
      return turn.last ? turn : { ...turn, isEnded: true };
    case 'damaged':
      return { ...turn, isDamaged: true };
    case 'answer': {
      const last = turn.last ?? entry;
      if (turn.text !== undefined || entry.text.trim() === '') return { ...turn, last };
      return { ...turn, last, text: entry.text };
    }
    case 'prompt':
      return turn;
  }
}

function toAnswer(text: string, turn: Turn): Answer {
  const isPartial = turn.isDamaged === true || goesOn(turn);
  return { kind: 'answer', text, isPartial, ...(turn.isEarlier ? { isEarlier: true } : {}) };
}

function goesOn({ isEnded = false, last }: Turn): boolean {
  return !isEnded && last?.callsTools !== false;
}

/**
 * 0.24.4 draws on the alternate screen: what is there is one screen, and its beginning is often
 * lost.
 */
export function cutLastAnswer(text: string): Answer | undefined {
  const conversation = dropComposer(text);
  const plain = dropScrollBar(conversation).replaceAll(/^ {2}/gm, '');
  const answer = cutAnswer(plain, painting);
  // In a dialog, without a composer, it may as well be the rest of a long prompt.
  if (answer || conversation === text) return answer;
  return cutHeadless(plain, { banner: />_ Qwen Code \(v/, end: painting.end });
}

const painting: Painting = {
  prompt: /^> \S/,
  block: /^(?:[◆●✕✓⚠ℹ]\uFE0E? |[-x?o] [A-Z]|\.{1,2} {0,2}\S)/,
  isNoAnswer: /^(?:[●✕✓⚠ℹ]\uFE0E? |[-x?o] [A-Z]|\.{1,2} {0,2}\S)/,
  // The spinner's row is two where the terminal is narrow.
  end: /^(?:─{8,}|[⠀-⣿] |\.? {20,}to cancel\)$)/,
  // Results hang below the tool's name as part of its block.
  result: /(?!)/,
  busy: /^[.⠀-⣿]\.? {1,2}\S.*\(\d[\w ]* · /,
};

/** A draft looks like a prompt that was sent, but it stands between two lines across the screen. */
function dropComposer(text: string): string {
  const rule = '\n────────';
  const bottom = text.lastIndexOf(rule);
  const top = bottom < 0 ? -1 : text.lastIndexOf(rule, bottom - 1);
  return top < 0 ? text : text.slice(0, top);
}

/**
 * A bar in the last column. The row with the answer's mark is one longer: a selector without a
 * width follows it.
 */
function dropScrollBar(text: string): string {
  const lines = text.split('\n');
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), 0);
  return lines
    .map((line) => (line.length >= width - 1 ? line.replace(/[│█]$/, '') : line))
    .join('\n');
}
