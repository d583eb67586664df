import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../shared/clock.ts';
import { parseObject } from '../../shared/json.ts';
import { readFileText } from '../../shared/open-file.ts';
import { readLinesBackwards } from '../../shared/read-lines-backwards.ts';
import { cutAnswer } from '../cut-answer.ts';
import type { AgentContext, Answer } from '../provider.ts';
import { configFolder } from './config-folder.ts';
import { findTranscript } from './find-transcript.ts';
import { type Entry, readEntry } from './transcript.ts';

/** The last answer of the current conversation; undefined when its transcript holds nothing yet. */
export async function readLastAnswer(
  context: AgentContext,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const path = await awaitTranscript(context, signal);
  return path === undefined ? undefined : await readAnswer(path, signal);
}

/**
 * Records are written in batches, some 100 ms after the fact: an agent that has just come to rest
 * says so before its answer is in the file, and the answer before it would be taken for the last
 * one. So right after a rest began the next batch is awaited.
 */
async function awaitTranscript(
  context: AgentContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  const restedAt = await readRestedAt(context);
  for (;;) {
    const path = await findTranscript(context);
    const isFresh = systemClock.now() < restedAt + batchMs;
    if (!isFresh || (path !== undefined && (await stat(path)).mtimeMs > restedAt)) return path;
    await systemClock.sleep(25, signal);
  }
}

/** Generous: the machine may be busy. Who asks later does not wait at all. */
const batchMs = 1000;

/**
 * Wall time at which the current rest began, by the state file; long ago when it works or cannot be
 * told.
 */
async function readRestedAt({ env, pid }: AgentContext): Promise<number> {
  const path = join(configFolder(env), 'sessions', `${pid}.json`);
  try {
    const file = parseObject(await readFileText(path)) ?? {};
    return file['status'] === 'idle' ? Number(file['statusUpdatedAt']) || 0 : 0;
  } catch {
    // It cannot be read: then it cannot be told.
    return 0;
  }
}

/**
 * Reads the transcript from its end. A turn that has said nothing yet, or whose prompt was taken
 * back (interrupted before any output), is passed over: the answer before it still is the last one,
 * and without one the screen knows more. A turn that ended without text is `no-response`. What
 * stands in a turn that goes on, or beside a line that cannot be read, is `isPartial` (O5).
 */
export async function readAnswer(path: string, signal: AbortSignal): Promise<Answer | undefined> {
  let texts: string[] = [];
  let message: string | undefined;
  let isEnded = false;
  let isDamaged = false;
  let isEarlier = false;
  const answer = (): Answer => ({
    kind: 'answer',
    text: texts.join(''),
    isPartial: isDamaged || !isEnded,
    ...(isEarlier ? { isEarlier } : {}),
  });
  for await (const line of readLinesBackwards(path, { signal })) {
    const entry: Entry | undefined = line === 'too-long' ? { kind: 'damaged' } : readEntry(line);
    switch (entry?.kind) {
      case undefined:
        break;
      case 'damaged':
        isDamaged = true;
        break;
      case 'end':
        if (message === undefined) isEnded = true;
        break;
      case 'text':
        // One message of the model is written as several records, one per block.
        if (message !== undefined && entry.message !== message) return answer();
        message = entry.message;
        texts = [entry.text, ...texts];
        isEnded ||= entry.isLast;
        break;
      case 'work':
        if (message !== undefined && entry.message !== message) return answer();
        break;
      case 'prompt':
        if (message !== undefined) return answer();
        if (isEnded) return { kind: 'no-response' };
        isDamaged = false;
        isEarlier = true;
        break;
    }
  }
  if (message !== undefined) return answer();
  return isEnded ? { kind: 'no-response' } : undefined;
}

/**
 * Claude Code 2.1.325 draws on the alternate screen: what is there is one screen, and its beginning
 * is often lost.
 */
export function cutLastAnswer(text: string): Answer | undefined {
  return cutAnswer(text, {
    prompt: /^❯ \S/,
    block: /^● /,
    isNoAnswer: /^● (?:[A-Z]\w*\(|Running |Please run \/login|API Error)/,
    end: /^(?:[─╌]{8,}|[✻✽✶✳✢·*] .*(?:…|\bfor \d)|❯$)|^ {2}(?:Ran|Read|Searched|Wrote|No result recorded for) \d/,
    result: /^\s+⎿/,
    busy: /^[✻✽✶✳✢·*] .*…|esc to interrupt/,
  });
}
