import type { WriteOptions } from '../ledger.ts';

/** In one commit at most. */
const mostTogether = 10;

/**
 * Among many: what is ready to be carried goes before what only asks to be accepted, and what nobody waits for comes behind
 * both. As due times, so that none waits for ever.
 */
const patienceMs = { first: -20, plain: 0, last: 30 } as const;

/** A write that waits for its turn. */
export interface Wish {
  readonly work: () => Promise<unknown>;
  /** For other processes. */
  readonly waitMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Queued extends Wish {
  readonly dueAtMs: number;
}

/** The writes of this process that wait, in the order in which they are due. */
export class WriteQueue {
  readonly #waiting: Queued[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(wish: Wish, haste: NonNullable<WriteOptions['haste']>, askedAtMs: number): void {
    const dueAtMs = askedAtMs + patienceMs[haste];
    const before = this.#waiting.findLastIndex((other) => other.dueAtMs <= dueAtMs);
    this.#waiting.splice(before + 1, 0, { ...wish, dueAtMs });
  }

  /** The first, and those behind it that wait equally long for other processes. */
  takeAlike(): readonly Queued[] {
    const [first] = this.#waiting;
    const others = this.#waiting.findIndex(({ waitMs }) => waitMs !== first?.waitMs);
    const count = others < 0 ? this.#waiting.length : others;
    return this.#waiting.splice(0, Math.min(count, mostTogether));
  }

  /** What there was no time for comes first again. */
  putBack(rest: readonly Queued[]): void {
    this.#waiting.unshift(...rest);
  }
}
