import { pause } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { FleetParts } from './parts.ts';

const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/**
 * The order in which one life's turn ends reach the ledger: one after the other. It dies with
 * `close`, after what is under way.
 */
export class TurnEndQueue {
  readonly #parts: FleetParts;
  readonly #agent: string;
  readonly #closing = new AbortController();
  #work: Promise<void> = Promise.resolve();

  constructor(parts: FleetParts, agent: string) {
    this.#parts = parts;
    this.#agent = agent;
  }

  enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(() => this.#keep(work));
    return this.#work;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work;
  }

  /**
   * A ledger that cannot be written to now (a full disk) is tried again: nobody else remembers this
   * end. A bug of ours is not.
   */
  async #keep(work: () => Promise<void>): Promise<void> {
    const { log, surroundings } = this.#parts;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await work();
      } catch (error) {
        reportBug("keeping a turn's end", error);
        log.error({ agent: this.#agent, error: String(error) }, "a turn's end could not be kept");
        if (!(error instanceof Fault)) return;
        if (!(await pause(surroundings.clock, pauseMs, this.#closing.signal))) return;
      }
    }
  }
}
