import { systemClock } from '../../shared/clock.ts';

const firstMs = 250;
/** Rule 53. */
const longestMs = 10_000;
/**
 * OpenCode 1.18.33 takes 2 s to start, and 26 s on a loaded machine: a pause of 10 s would be spent
 * after it is up, with messages that wait. Later than this it is no start any more.
 */
const startMs = 60_000;
const longestAtStartMs = 1000;

/** How long to wait before a server that did not answer is asked again. */
export class Pauses {
  readonly #monotonicMs: () => number;
  readonly #since: number;
  #nextMs = firstMs;
  #hasSucceeded = false;

  constructor(monotonicMs: () => number = () => systemClock.monotonicMs()) {
    this.#monotonicMs = monotonicMs;
    this.#since = monotonicMs();
  }

  /** The one that is due now; the next is longer. */
  next(): number {
    const pauseMs = Math.min(this.#nextMs, this.#longestMs);
    this.#nextMs = Math.min(pauseMs * 2, longestMs);
    return pauseMs;
  }

  /** It would not help to begin anew. */
  get isShort(): boolean {
    return this.#nextMs <= 2 * firstMs;
  }

  beginAnew(): void {
    this.#nextMs = firstMs;
  }

  /** The server is up. */
  succeed(): void {
    this.#hasSucceeded = true;
    this.beginAnew();
  }

  get #longestMs(): number {
    const isStarting = !this.#hasSucceeded && this.#monotonicMs() - this.#since < startMs;
    return isStarting ? longestAtStartMs : longestMs;
  }
}
