import type { Clock } from './clock.ts';

/** So many at once, and so many a second after that. */
export class Rate {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #perSecond: number;
  #left: number;
  #seenAtMs: number;

  constructor(clock: Pick<Clock, 'monotonicMs'>, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#left = perSecond;
    this.#seenAtMs = clock.monotonicMs();
  }

  /** Whether there is one left; it is gone then. */
  take(): boolean {
    const now = this.#clock.monotonicMs();
    const grown = ((now - this.#seenAtMs) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#perSecond, this.#left + grown);
    this.#seenAtMs = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
