// Tests: src/delivery/promises.test.ts.

/**
 * After a hook's reply a turn that goes on has begun by then (rule 11); one that still rests has
 * ended.
 */
const continueWithinMs = 5000;

/**
 * Whether an agent has been at rest since a hook last continued its turn (rule 19). On the
 * monotonic clock.
 */
export class RestAfterHook {
  #hasRested = false;
  #saidAt = Number.NEGATIVE_INFINITY;

  get hasRested(): boolean {
    return this.#hasRested;
  }

  said(now: number): void {
    this.#hasRested = false;
    this.#saidAt = now;
  }

  /** What rests now rests. */
  saidNothing(): void {
    this.#saidAt = Number.NEGATIVE_INFINITY;
  }

  /** It rests, since then. */
  note(atRestSince: number | undefined, now: number): void {
    if (atRestSince === undefined) return;
    if (now >= Math.max(this.#saidAt + continueWithinMs, atRestSince)) this.#hasRested = true;
  }
}
