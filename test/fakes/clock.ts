import type { Clock } from '../../src/shared/clock.ts';

/**
 * A clock that stands still until a test moves it. Wall time and monotonic time move apart, as they
 * do in life.
 */
export class FakeClock implements Clock {
  wallMs = 1_800_000_000_000;
  bootMs = 5_000_000;

  now(): number {
    return this.wallMs;
  }

  monotonicMs(): number {
    return this.bootMs;
  }

  /** Sleeping is how time passes: nobody waits for real. */
  async sleep(ms: number): Promise<void> {
    this.pass(ms);
  }

  pass(ms: number): void {
    this.wallMs += ms;
    this.bootMs += ms;
  }

  /** What an administrator or NTP does: wall time jumps, nothing else. */
  setWall(ms: number): void {
    this.wallMs = ms;
  }
}
