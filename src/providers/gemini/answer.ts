import { readLinesBackwards } from '../../shared/read-lines-backwards.ts';
import { cutAnswer, type Painting } from '../cut-answer.ts';
import { cutHeadless } from '../cut-headless.ts';
import type { AgentContext, Answer } from '../provider.ts';
import { type Entry, readEntry, type Step } from './records.ts';
import { findSessionFiles, followClear } from './session-files.ts';

/**
 * The last answer of the current conversation; undefined when its file does not tell, and the
 * screen must.
 */
export async function readLastAnswer(
  context: AgentContext,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (context.conversation === undefined) return undefined;
  const id = await followClear(context, context.conversation);
  for (const { path } of await findSessionFiles(context, id)) {
    const answer = await readAnswer(path, signal);
    if (answer) return answer;
  }
  return undefined;
}

/**
 * Reads a conversation from its end. A turn that has said nothing yet is passed over: the answer
 * before it still is the last one. One that failed is `no-response`. The words of a cancelled one
 * are on the screen alone. What stands in a turn that goes on, or beside a line that cannot be
 * read, is `isPartial` (O5).
 */
async function readAnswer(path: string, signal: AbortSignal): Promise<Answer | undefined> {
  let turn: Turn = {};
  for await (const entry of readEntries(path, signal)) {
    if (entry.kind !== 'prompt') turn = extend(turn, entry);
    else if (turn.text !== undefined) return toAnswer(turn.text, turn);
    else if (turn.end === 'cancelled') return undefined;
    else if (turn.end !== undefined || turn.last?.callsTools === false) {
      return { kind: 'no-response' };
    } else turn = { isEarlier: true };
  }
  // No prompt stands above it: the beginning of the file is lost, or was compressed away.
  return turn.text === undefined ? undefined : toAnswer(turn.text, { ...turn, isDamaged: true });
}

/** What is known of a turn, from its end. */
interface Turn {
  readonly end?: 'failed' | 'cancelled';
  readonly last?: { readonly callsTools: boolean };
  readonly text?: string;
  readonly isDamaged?: boolean;
  readonly isEarlier?: true;
}

/**
 * Newest first. After a history everything older counts only when it is not part of it; at the very
 * end it is read itself.
 */
async function* readEntries(path: string, signal: AbortSignal): AsyncGenerator<Step> {
  let history: readonly Step[] | undefined;
  const kept = new Set<string>();
  for await (const line of readLinesBackwards(path, { signal })) {
    const entry: Entry | undefined = line === 'too-long' ? { kind: 'damaged' } : readEntry(line);
    if (entry?.kind === 'history') {
      if (history) continue;
      history = entry.steps;
      for (const each of history) if ('id' in each) kept.add(each.id);
    } else if (entry && !('id' in entry && kept.has(entry.id))) yield entry;
  }
  yield* history?.toReversed() ?? [];
}

function extend(turn: Turn, step: Step): Turn {
  switch (step.kind) {
    case 'failed':
    case 'cancelled':
      // An error after the answer is another one's: of a command, say.
      return turn.last ? turn : { ...turn, end: step.kind };
    case 'damaged':
      return { ...turn, isDamaged: true };
    case 'answer': {
      const last = turn.last ?? step;
      if (turn.text !== undefined || step.text.trim() === '') return { ...turn, last };
      return { ...turn, last, text: step.text };
    }
    case 'prompt':
      return turn;
  }
}

function toAnswer(text: string, { isDamaged = false, end, last, isEarlier }: Turn): Answer {
  const goesOn = end === undefined && last?.callsTools === true;
  const isPartial = isDamaged || goesOn;
  return { kind: 'answer', text, isPartial, ...(isEarlier ? { isEarlier } : {}) };
}

/**
 * 0.61.0 draws on the main screen, so the scrollback holds the conversation: prompts after `>`,
 * answers after `✦`.
 */
export function cutLastAnswer(text: string): Answer | undefined {
  const conversation = dropComposer(text);
  const answer = cutAnswer(conversation, painting);
  // In a dialog, without a composer, it may as well be the rest of a long prompt.
  if (answer || conversation === text) return answer;
  const banner = /Gemini CLI v\d|^Tips for getting started:/m;
  return cutHeadless(conversation, { banner, end: painting.end });
}

const painting: Painting = {
  prompt: /^ > \S/,
  block: /^(?:[✦✕ℹ⚠] |╭─)/,
  isNoAnswer: /^(?:[✕ℹ⚠] |╭─)/,
  end: /^(?:[▀▄─]{8,}|╰─| ?[⠀-⣿] |\s*\? for shortcuts)/,
  // Results stand in the tool's own frame.
  result: /(?!)/,
  busy: /^ ?[⠀-⣿] .*\(esc to cancel/,
};

/**
 * A draft looks like a prompt that was sent; but it stands below a line across the screen, and no
 * conversation follows.
 */
function dropComposer(text: string): string {
  const rule = text.lastIndexOf('\n────────');
  const hasConversation = /^(?:[✦✕ℹ⚠] |╭─)/m.test(text.slice(rule + 1));
  return rule < 0 || hasConversation ? text : text.slice(0, rule);
}
