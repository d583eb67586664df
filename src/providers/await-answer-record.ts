import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './provider.ts';

export interface FoundAnswer {
  readonly answer: Answer | undefined;
  /** The last turn on record has not ended there, or has no words yet. */
  readonly isOpen: boolean;
}

const lookMs = 100;

/**
 * A CLI's hook may tell of the end of a turn before its words are on record. A turn that looks open
 * is given so much time; after that the answer is what stands there.
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
