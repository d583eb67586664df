import { fstatSync, readSync } from 'node:fs';
import { asObject, asText, parseObject } from '../../shared/json.ts';
import { useFileSync } from '../../shared/open-file.ts';
import { isMissing } from '../record-files.ts';
import type { TurnNews } from '../way-in.ts';

type Outcome = TurnNews['outcome'];

/**
 * How the turn ended whose end a hook has just told. The hook does not say (0.61.0): it fires for a
 * cancelled turn with the words that came so far, as if they were an answer. By then the file has
 * the word: an answer, an error, a cancellation, or messages that were set anew because the turn
 * was taken out. Undefined where it cannot be read (rule 41).
 */
export function readOutcome(
  transcriptPath: string | undefined,
  hasText: boolean,
): Outcome | undefined {
  const lines = transcriptPath === undefined ? [] : readLastLines(transcriptPath);
  if (lines === undefined) return undefined;
  for (const line of lines.toReversed()) {
    const outcome = outcomeOf(line, hasText);
    if (outcome !== undefined) return outcome;
  }
  return hasText ? 'completed' : 'failed';
}

function outcomeOf(line: string, hasText: boolean): Outcome | undefined {
  const record = parseObject(line) ?? {};
  if (asObject(record['$set'])['messages'] !== undefined) return undefined;
  switch (record['type']) {
    case 'gemini':
      return asText(record['model']) === undefined ? undefined : 'completed';
    case 'error':
      return 'failed';
    case 'info':
      return record['content'] === 'Request cancelled.' ? 'interrupted' : undefined;
    case 'user':
      // Nothing came of it. With words of it on the screen only a person can have ended it.
      return hasText ? 'interrupted' : 'failed';
    default:
      return undefined;
  }
}

/**
 * The line that sets all messages anew is as long as the conversation, and what matters may stand
 * before it.
 */
const readBytes = 4 * 1024 * 1024;

/** Whole lines only; none of a file that is not there, and undefined when it cannot be read. */
function readLastLines(path: string): readonly string[] | undefined {
  try {
    return useFileSync(path, (file) => {
      const { size } = fstatSync(file);
      const start = Math.max(0, size - readBytes);
      const bytes = Buffer.alloc(size - start);
      const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, start));
      return text.split('\n').slice(start === 0 ? 0 : 1);
    });
  } catch (error) {
    return isMissing(error) ? [] : undefined;
  }
}
