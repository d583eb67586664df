import { setTimeout as delay } from 'node:timers/promises';

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
    const found = await condition();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await delay(10);
  }
}
