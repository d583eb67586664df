import type { Clock } from '../../shared/clock.ts';

/** How long a server without a terminal is kept: a person who relaunches needs no new one. */
const restMs = 60_000;

/**
 * Decides when a server that has no terminal any more is ended, and keeps launches apart from that:
 * a launch that is under way keeps the server, and one that comes while the server ends waits for
 * the end and starts another.
 */
export class Rest {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #end: () => Promise<void>;
  #emptySinceMs: number | undefined;
  #launches = 0;
  #ending: Promise<void> | undefined;

  constructor(clock: Pick<Clock, 'monotonicMs'>, end: () => Promise<void>) {
    this.#clock = clock;
    this.#end = end;
  }

  /** Around each launch. */
  async launch<T>(work: () => Promise<T>): Promise<T> {
    this.#launches++;
    try {
      await this.#ending;
      return await work();
    } finally {
      this.#launches--;
      this.#emptySinceMs = undefined;
    }
  }

  /** After each look at the server; resolves when it has been ended, if that was due. */
  async saw(isEmpty: boolean): Promise<void> {
    if (!isEmpty || this.#launches > 0) {
      this.#emptySinceMs = undefined;
      return;
    }
    const now = this.#clock.monotonicMs();
    this.#emptySinceMs ??= now;
    if (now - this.#emptySinceMs < restMs) return;
    this.#emptySinceMs = undefined;
    this.#ending ??= this.#end().finally(() => {
      this.#ending = undefined;
    });
    await this.#ending;
  }

  /** Nothing is being ended. */
  async settled(): Promise<void> {
    await this.#ending;
  }
}
