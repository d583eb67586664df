import { ownSpan } from '../shared/own-span.ts';
import type { RecipientView } from './recipient.ts';

/** For a failing model API: 30 s doubling to 15 min. */
const firstMs = ownSpan(30_000);
const maxMs = 15 * 60_000;

/** A failing model API is left alone, longer each time; a turn that ends well forgets it. */
export class BackOff {
  #ms = firstMs;
  #until = 0;
  /** Which spell of error it is for. */
  #since: number | undefined;

  /** Monotonic. */
  get until(): number {
    return this.#until;
  }

  note({ status, atRestSince }: RecipientView, now: number): void {
    if (status === 'completed') this.#ms = firstMs;
    if (status !== 'error' || atRestSince === this.#since) return;
    this.#since = atRestSince;
    this.#until = now + this.#ms;
    this.#ms = Math.min(this.#ms * 2, maxMs);
  }
}
