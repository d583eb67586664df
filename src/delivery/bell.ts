import type { Clock } from '../shared/clock.ts';
import { pause } from '../shared/clock.ts';

/**
 * Wakes one sleeper, however often and from wherever it is rung; rung while nobody sleeps, the next
 * sleep is none.
 */
export class Bell {
  readonly #clock: Clock;
  #isRung = true;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** What rang until now is being answered. */
  still(): void {
    this.#isRung = false;
  }

  /** Until it is rung, or for so long. */
  async heard(ms: number | undefined): Promise<void> {
    if (this.#isRung) return;
    const rung = new Promise<void>((wake) => {
      this.#wake = wake;
    });
    await (ms === undefined ? rung : this.#orAfter(ms, rung));
    this.#wake = undefined;
  }

  async #orAfter(ms: number, rung: Promise<void>): Promise<void> {
    const timer = new AbortController();
    const sleep = pause(this.#clock, Math.max(1, ms), timer.signal);
    await Promise.race([rung, sleep]);
    timer.abort();
  }
}
