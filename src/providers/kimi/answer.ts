import { readLinesBackwards } from '../../shared/read-lines-backwards.ts';
import { awaitAnswerRecord, type FoundAnswer } from '../await-answer-record.ts';
import { cutAnswer } from '../cut-answer.ts';
import type { AgentContext, Answer } from '../provider.ts';
import { findWire, kimiHome } from './session-files.ts';
import { type Entry, readEntry } from './wire.ts';

/**
 * The last answer of the current conversation; undefined when which one that is, or its file, is
 * not known. Kimi Code 2.1.0 runs its Stop hook before it has written a long answer (1 MB) to its
 * records, so a turn that looks open is read again for a second.
 */
export async function readLastAnswer(
  { env, conversation }: AgentContext,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (conversation === undefined) return undefined;
  const path = await findWire(kimiHome(env), conversation);
  if (path === undefined) return undefined;
  return await awaitAnswerRecord(() => readAnswer(path, signal), lagMs, signal);
}

const lagMs = 1000;

/**
 * Reads the file from its end. A turn that has said nothing yet is passed over: the answer before
 * it still is the last one. A turn that ended without text is `no-response`. What stands in a turn
 * that goes on, or beside a line that cannot be read, is `isPartial` (O5).
 */
async function readAnswer(path: string, signal: AbortSignal): Promise<FoundAnswer> {
  let isOpen = true;
  let texts: readonly string[] = [];
  let step: string | undefined;
  let isEnded = false;
  let isDamaged = false;
  let isEarlier = false;
  const answer = (): FoundAnswer => ({
    answer: {
      kind: 'answer',
      text: texts.join(''),
      isPartial: isDamaged || !isEnded,
      ...(isEarlier ? { isEarlier } : {}),
    },
    isOpen,
  });
  const nothing = (): FoundAnswer => ({ answer: { kind: 'no-response' }, isOpen });
  for await (const line of readLinesBackwards(path, { signal })) {
    const entry: Entry | undefined = line === 'too-long' ? { kind: 'damaged' } : readEntry(line);
    switch (entry?.kind) {
      case undefined:
        break;
      case 'damaged':
        isDamaged = true;
        break;
      case 'end':
        // That of an earlier turn: the one below it has begun without a prompt of its own.
        if (step !== undefined) return answer();
        isEnded = true;
        if (!isEarlier) isOpen = false;
        break;
      case 'text':
        // A step may say something before and after a tool call.
        if (step !== undefined && entry.step !== step) return answer();
        step = entry.step;
        texts = [entry.text, ...texts];
        break;
      case 'work':
        if (step !== undefined && entry.step !== step) return answer();
        break;
      case 'prompt':
        if (step !== undefined) return answer();
        if (isEnded) return nothing();
        isDamaged = false;
        isEarlier = true;
        break;
    }
  }
  // Without a prompt no turn has begun.
  if (step === undefined && !isEarlier) isOpen = false;
  return step === undefined ? nothing() : answer();
}

/** Kimi Code 2.1.0 draws on the main screen: the scrollback holds what was said. */
export function cutLastAnswer(text: string): Answer | undefined {
  // Everything is indented by one.
  return cutAnswer(text.replace(/^ /gm, ''), {
    prompt: /^✨ \S/,
    block: /^● /,
    isNoAnswer:
      /^● (?:Ran|Running|Used|Using|Wrote|Writing|Edited|Editing|Read|Reading|Searched|Fetched|Asked)\b.* · /,
    end: /^(?:[╭╰]─|│| {2}(?:Error: |If this persists|Approved: |Rejected: ))/,
    result: /^ {2}└ /,
    busy: /^ [🌑🌒🌓🌔🌕🌖🌗🌘⠀-⣿] /u,
  });
}
