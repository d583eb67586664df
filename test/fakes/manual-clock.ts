import type { Clock } from '../../src/shared/clock.ts';

/**
 * A clock on which whoever sleeps is woken when a test lets that much time pass, and never
 * otherwise.
 */
export class ManualClock implements Clock {
  wallMs = 1_800_000_000_000;
  bootMs = 5_000_000;
  readonly #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

  now(): number {
    return this.wallMs;
  }

  monotonicMs(): number {
    return this.bootMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const sleeper = { until: this.bootMs + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', end);
    });
  }

  /** Resolves when everybody who was woken has had a turn. */
  async pass(ms: number): Promise<void> {
    this.bootMs += ms;
    this.wallMs += ms;
    const due = [...this.#sleepers].filter(({ until }) => until <= this.bootMs);
    for (const sleeper of due.sort((a, b) => a.until - b.until)) {
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
    await new Promise((done) => setImmediate(done));
  }
}
