import { systemClock } from '../../shared/clock.ts';

/** For those who wait until something is so. */
export async function waitUntil(isSo: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  const endsAtMs = systemClock.monotonicMs() + limitMs;
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 100)) {
    if (await isSo()) return true;
    if (systemClock.monotonicMs() >= endsAtMs) return false;
    await systemClock.sleep(waitMs);
  }
}
