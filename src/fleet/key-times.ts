import type { Clock } from '../shared/clock.ts';
import type { Look } from '../terminals/backend.ts';

/** Of a stamp that is known to the second: the last moment that it may mean. */
const secondMs = 999;

/**
 * When a person last pressed a key in one terminal, on the monotonic clock. Backends stamp keys
 * with wall time, and the wall clock may be set (rule 5): so a stamp is read once, when a look
 * first shows it, and a later look says the same of it, whatever the clock says by then. Of one
 * that the clock makes older than the look before, or that lies in the future, the looks decide:
 * the key came between the two. Known to the second: the end of that second counts, unless it is
 * yet to come.
 */
export class KeyTimes {
  readonly #clock: Clock;
  #seconds: number | undefined;
  #stamp: string | undefined;
  /** The last moment at which that key can have been pressed. */
  #until = Number.NEGATIVE_INFINITY;
  /** Of the last look. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #pressedAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined when nobody ever was there. */
  read({
    humanKeyAt: seconds,
    typingStamp: stamp,
  }: Pick<Look, 'humanKeyAt' | 'typingStamp'>): number | undefined {
    const now = this.#clock.monotonicMs();
    if (seconds !== undefined && this.#isNews(seconds, stamp)) {
      const agoMs = this.#clock.now() - seconds * 1000;
      const until = agoMs < 0 ? now : now - agoMs + secondMs;
      this.#until = Math.max(until, this.#lookedAt);
    }
    this.#seconds = seconds;
    this.#stamp = stamp;
    this.#lookedAt = now;
    if (seconds === undefined) return this.#pressedAt;
    return Math.max(Math.min(now, this.#until), this.#pressedAt ?? Number.NEGATIVE_INFINITY);
  }

  /** A person has had us press a key just now, which not every terminal tells of. */
  press(): void {
    this.#pressedAt = this.#clock.monotonicMs();
  }

  /**
   * Who leaves takes their own stamp along and has pressed nothing. One of before the clock was set
   * back hides later ones, which are smaller: then any change in who has typed counts.
   */
  #isNews(seconds: number, stamp: string | undefined): boolean {
    const isUntyped = stamp !== undefined && stamp === this.#stamp;
    if (seconds !== this.#seconds) return this.#seconds === undefined || !isUntyped;
    return seconds * 1000 > this.#clock.now() && !isUntyped;
  }
}
