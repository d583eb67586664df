// Tests: src/shared/keep-trying.test.ts.

import { type Clock, pause } from './clock.ts';
import { errorFacts, type Log } from './log.ts';
import { reportBug } from './report-bug.ts';

const firstMs = 1000;
const mostMs = 60_000;

interface Parts {
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** In words: "settling what an earlier daemon decided". */
  readonly what: string;
  readonly work: () => Promise<unknown>;
}

/**
 * Something that a start has to do once, and that is no reason not to start: a ledger that takes
 * nothing now may take it later. What fails is told once, and tried again ever more seldom until it
 * is done. It owns its loop and nothing else; whoever dies in between leaves it to the next start.
 */
export class KeepTrying {
  readonly #parts: Parts;
  readonly #over = new AbortController();
  #isDone = false;
  #trying: Promise<void> | undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves after the first try, whatever came of it. */
  async start(): Promise<void> {
    const { log, what } = this.#parts;
    try {
      await this.done();
    } catch (error) {
      reportBug(what, error);
      log.warn(errorFacts(error), `${what} failed; it is tried again`);
      this.#loop = this.#again();
    }
  }

  /**
   * For whoever needs it to be done: at once where it is; else throws what a try of its own came
   * to.
   */
  async done(): Promise<void> {
    if (this.#isDone) return;
    this.#trying ??= this.#try().finally(() => {
      this.#trying = undefined;
    });
    await this.#trying;
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#loop;
  }

  async #try(): Promise<void> {
    await this.#parts.work();
    this.#isDone = true;
  }

  async #again(): Promise<void> {
    const { clock, log, what } = this.#parts;
    for (let ms = firstMs; await pause(clock, ms, this.#over.signal); ms = next(ms)) {
      try {
        await this.done();
        log.info({}, `${what} is done now`);
        return;
      } catch (error) {
        // The first failure was told.
        reportBug(what, error);
      }
    }
  }
}

function next(ms: number): number {
  return Math.min(2 * ms, mostMs);
}
