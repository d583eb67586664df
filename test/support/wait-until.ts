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
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const askedAt = performance.now();
    const found = await condition();
    if (found) return found;
    const now = performance.now();
    if (now > deadline) throw new WaitedInVain(what);
    // A condition that runs a command is asked more rarely: otherwise the test takes the processor
    // from the processes it waits for.
    const tookMs = now - askedAt;
    await delay(tookMs < 50 ? 10 : Math.min(500, 2 * tookMs));
  }
}
