import { setTimeout as delay } from 'node:timers/promises';

/**
 * The only place that reads a clock. Wall time is for times to live and display; leases and waits
 * use the monotonic clock, which counts from boot and is the same for all processes of one boot.
 */
export interface Clock {
  /** Wall time, milliseconds since 1970. May jump either way. */
  now(): number;
  /** Milliseconds since boot. Never jumps; means nothing in another boot. */
  monotonicMs(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => Number(process.hrtime.bigint() / 1_000_000n),
  sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}),
};

/**
 * Until the next beat of that length, in milliseconds, above 0. Whoever looks at something now and
 * then waits until a beat: all of them look in one waking of the process, and each waking costs as
 * much as a dozen looks.
 */
export function untilBeat(clock: Pick<Clock, 'monotonicMs'>, everyMs: number): number {
  return everyMs - (clock.monotonicMs() % everyMs);
}

/**
 * Whether `at` comes after `moment`, both of them wall times. What is stamped later than now was
 * stamped before the clock was set back, so it comes first (rule 5). Without a moment nothing comes
 * after it.
 */
export function isLater(at: number, moment: number | undefined, now: number): boolean {
  return moment !== undefined && at > moment && at <= now;
}

/**
 * For whoever does not mind being woken: true when the time has passed, false when the signal ended
 * it.
 */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  }
}
