import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './provider.ts';

export interface FoundAnswer {
  readonly answer: Answer | undefined;
  /** The last turn on record has not ended there, or has no words yet. */
  readonly isOpen: boolean;
}

const lookMs = 100;

/**
 * A CLI's hook may tell of a turn's end before the CLI has written the turn's words to its records.
 * So a turn that looks open is read again for up to `lagMs`; then whatever is on record counts.
 */
export async function awaitAnswerRecord(
  read: () => Promise<FoundAnswer>,
  lagMs: number,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  for (let waitedMs = 0; ; waitedMs += lookMs) {
    const { answer, isOpen } = await read();
    if (!isOpen || waitedMs >= lagMs) return answer;
    await delay(lookMs, undefined, { signal });
  }
}
