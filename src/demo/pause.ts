import { systemClock } from '../shared/clock.ts';

/** Sleeps until the time is over or the signal comes, whichever is first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return systemClock.sleep(ms, signal).catch(() => undefined);
}
