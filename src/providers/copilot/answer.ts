import { readLinesBackwards } from '../../shared/read-lines-backwards.ts';
import { cutAnswer } from '../cut-answer.ts';
import type { AgentContext, Answer } from '../provider.ts';
import { type Entry, findEvents, readEntry } from './transcript.ts';

/** The last answer of the current conversation; undefined when it has no file yet. */
export async function readLastAnswer(
  { env, conversation }: AgentContext,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const path = conversation === undefined ? undefined : findEvents(env, conversation);
  if (path === undefined) return undefined;
  try {
    return await readAnswer(path, signal);
  } catch (error) {
    // It is written with the first prompt.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Reads the file from its end. A turn that has said nothing yet is passed over: the answer before
 * it still is the last one. A turn that ended without text is `no-response`; the words of one that
 * was broken off are on the screen alone. What stands in a turn that goes on, or beside a line that
 * cannot be read, is `isPartial` (O5).
 */
async function readAnswer(path: string, signal: AbortSignal): Promise<Answer | undefined> {
  let end: 'said' | 'failed' | 'aborted' | undefined;
  let isDamaged = false;
  let earlier: { readonly isEarlier?: true } = {};
  for await (const line of readLinesBackwards(path, { signal })) {
    const entry: Entry | undefined = line === 'too-long' ? { kind: 'damaged' } : readEntry(line);
    switch (entry?.kind) {
      case undefined:
        break;
      case 'damaged':
        isDamaged = true;
        break;
      case 'failed':
      case 'aborted':
        end ??= entry.kind;
        break;
      case 'work':
      case 'text':
        if (entry.isLast) end ??= 'said';
        if (entry.kind === 'work') break;
        return {
          ...{ kind: 'answer', text: entry.text, isPartial: isDamaged || end === undefined },
          ...earlier,
        };
      case 'prompt':
        if (end === 'aborted') return undefined;
        if (end !== undefined) return { kind: 'no-response' };
        isDamaged = false;
        earlier = { isEarlier: true };
        break;
    }
  }
  return { kind: 'no-response' };
}

/**
 * Copilot CLI 1.0.102 draws on the alternate screen: what is there is one screen, and its beginning
 * is often lost.
 */
export function cutLastAnswer(text: string): Answer | undefined {
  // Everything is indented by one, and at the right edge stands a scroll bar once there is more
  // than one screen.
  const plain = text.replace(/ *┃$/gm, '').replace(/^ /gm, '');
  return cutAnswer(plain, {
    prompt: /^❯ \S/,
    block: /^[●○◎◉$✗!] /,
    isNoAnswer: /^(?:[○◎◉$✗!]|● (?:Request failed|Operation cancelled|Tip:))/,
    end: /^(?:─{8,}|[/~]\S*$)/,
    result: /^ {2}└ /,
    busy: /^[○◎◉●] (?:Working|Thinking|Cancelling)\b/,
  });
}
