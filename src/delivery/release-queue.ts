// Tests: src/delivery/follow-evidence.test.ts.

import { ownSpan } from '../shared/own-span.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { EvidenceMemory } from './evidence-memory.ts';
import type { DeliveryParts } from './parts.ts';
import type { Recipient } from './recipient.ts';

/** A terminal that has been quiet for so long is left by its person (rule 22). */
const quietMs = ownSpan(10_000);
/** A queue that does not start by then is asked once more. */
const againMs = ownSpan(30_000);

/**
 * The agent rests and keeps messages in its own queue: a person's interruption has paused that. It
 * is released when the terminal has been quiet for a while (rule 22). `newest` is the token of the
 * last of them: one that was not there at the last release does not wait for that to come round
 * again. Returns when time alone makes another look worth while.
 */
export async function releaseQueue(
  parts: DeliveryParts,
  { native, view, agent }: Recipient,
  memory: EvidenceMemory,
  newest: number,
): Promise<readonly number[]> {
  const { atRestSince, humanKeyAt = Number.NEGATIVE_INFINITY } = view();
  if (!native?.release || atRestSince === undefined) return [];
  const now = parts.surroundings.clock.monotonicMs();
  // It has worked since, so the queue went on, and was paused once more; or another has come.
  const isNew = atRestSince > memory.releasedAt || newest > memory.releasedUpTo;
  const againAt = isNew ? Number.NEGATIVE_INFINITY : memory.releasedAt + againMs;
  const dueAt = Math.max(atRestSince + quietMs, humanKeyAt + quietMs, againAt);
  if (now < dueAt) return [dueAt - now];
  memory.releasedAt = now;
  memory.releasedUpTo = newest;
  try {
    await native.release();
  } catch (error) {
    reportBug("releasing a CLI's own queue", error);
    parts.log.warn({ agent, error: String(error) }, 'its own queue could not be released');
  }
  return [againMs];
}
