import { setTimeout as delay } from 'node:timers/promises';
import { restMs } from './wait-until.ts';

/** It only ends a test that hangs. */
const deadlineMs = 120_000;

/**
 * Until the expectations in `holds` are met; fails as they do. Vitest's own `waitFor` looks every
 * so many milliseconds however long it waits, and a failed expectation is dear: it writes a
 * comparison.
 */
export async function waitFor<T>(holds: () => T | Promise<T>): Promise<T> {
  const beganAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    try {
      return await holds();
    } catch (error) {
      const now = performance.now();
      if (now - beganAt > deadlineMs) throw error;
      await delay(restMs(now - beganAt, now - askedAt));
    }
  }
}
