import type { WriteOptions } from '../ledger.ts';

/** In one commit at most. */
const mostTogether = 10;

/**
 * Among many: what is ready to be carried goes before what only asks to be accepted, and what
 * nobody waits for comes behind both. As due times, so that none waits for ever. Fifty messages
 * that come at once take two cores about 100 ms: with less than that for the first ones, those
 * accepted early would wait for all that are accepted late.
 */
const patienceMs = { first: -80, plain: 0, last: 100 } as const;

/** A write that waits for its turn. */
export interface Wish {
  readonly work: () => Promise<unknown>;
  /** For other processes. */
  readonly waitMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Queued extends Wish {
  readonly haste: Haste;
  readonly dueAtMs: number;
}

type Haste = NonNullable<WriteOptions['haste']>;

/** The writes of this process that wait, in the order in which they are due. */
export class WriteQueue {
  readonly #waiting: Queued[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(wish: Wish, haste: Haste, askedAtMs: number): void {
    const dueAtMs = askedAtMs + patienceMs[haste];
    const before = this.#waiting.findLastIndex((other) => other.dueAtMs <= dueAtMs);
    this.#waiting.splice(before + 1, 0, { ...wish, haste, dueAtMs });
  }

  /**
   * The first, and those behind it that are as urgent and wait equally long for other processes. Of
   * fifty messages that come at once ten are accepted and carried, and then the next ten: together
   * they would all be late.
   */
  takeAlike(): readonly Queued[] {
    const [first] = this.#waiting;
    const others = this.#waiting.findIndex(
      ({ haste, waitMs }) => haste !== first?.haste || waitMs !== first.waitMs,
    );
    const count = others < 0 ? this.#waiting.length : others;
    return this.#waiting.splice(0, Math.min(count, mostTogether));
  }

  /** What there was no time for comes first again. */
  putBack(rest: readonly Queued[]): void {
    this.#waiting.unshift(...rest);
  }
}
