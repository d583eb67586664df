import { setTimeout as delay } from 'node:timers/promises';

/** The limit ended the wait. */
export class WaitedInVain extends Error {
  constructor(what: string) {
    super(`waited in vain: ${what}`);
  }
}

/**
 * Waits for a condition, never for a time: returns its first truthy value, or fails with what was
 * waited for.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  deadlineMs = 120_000,
): Promise<NonNullable<T>> {
  const beganAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    const found = await condition();
    if (found) return found;
    const now = performance.now();
    if (now - beganAt > deadlineMs) throw new WaitedInVain(what);
    await delay(restMs(now - beganAt, now - askedAt));
  }
}

/**
 * How long to rest before the next look. The more a look takes, and the longer we have waited
 * already, the rarer the looks: each takes the processor from the processes that the test waits
 * for. One look into the ledger takes 5 ms, and a hundred of them in a second took a third of it.
 */
export function restMs(waitedMs: number, tookMs: number): number {
  return Math.max(10, Math.min(100, waitedMs / 10), Math.min(500, 2 * tookMs));
}
