import { ownSpan } from '../shared/own-span.ts';
import type { RecipientView } from './recipient.ts';

/** For a failing model API: 30 s doubling to 15 min. */
const firstMs = ownSpan(30_000);
const maxMs = 15 * 60_000;

/**
 * A failing model API is left alone, longer each time; a turn that ends well forgets it. Some CLIs
 * show no error when an answer breaks off (Gemini CLI 0.61.0 takes its prompt out and rests,
 * `completed`): there the records tell of it, and only proof or the end of a good turn forgets it.
 * Without that the next copy would go in every other second for as long as answers break.
 */
export class BackOff {
  #ms = firstMs;
  #until = 0;
  /** Which spell of error it is for. */
  #since: number | undefined;
  #isFailing = false;

  /** Monotonic. */
  get until(): number {
    return this.#until;
  }

  /** By the records, whatever the status says. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  note({ status, atRestSince }: RecipientView, now: number): void {
    if (status === 'completed' && !this.#isFailing) this.#ms = firstMs;
    if (status !== 'error' || atRestSince === this.#since) return;
    this.#since = atRestSince;
    // The records were faster.
    if (this.#isFailing && this.#until > now) return;
    this.#begin(now);
  }

  /** The records show that the turn of a message failed, and the CLI took it out. */
  fail(now: number): void {
    this.#isFailing = true;
    if (this.#until <= now) this.#begin(now);
  }

  /** A message was read, or a turn has ended well. */
  succeed(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#ms = firstMs;
    this.#until = 0;
  }

  #begin(now: number): void {
    this.#until = now + this.#ms;
    this.#ms = Math.min(this.#ms * 2, maxMs);
  }
}
