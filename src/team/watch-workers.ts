import type { Bus } from '../events/bus.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { type Clock, pause } from '../shared/clock.ts';
import { joinSignals } from '../shared/join-signals.ts';
import { errorFacts, type Log } from '../shared/log.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Ledger } from '../store/ledger.ts';

/** A burst of news is one look. */
const gatherMs = 100;
/** People come and go, and other processes write to the ledger: nobody tells of that. */
const soonMs = 1000;
/** Without a worker that could end there is nothing to look for but calls of other processes. */
const idleMs = 30_000;

export interface WorkerWatchParts {
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly fleet: Pick<Fleet, 'endWorker' | 'bringBack'>;
}

/**
 * Workers end with their tasks, and come back when they are called. It only finds out who may be
 * due, at a start, after news and now and then: the fleet decides and does it, one worker
 * independently of another. It keeps nothing: all of it is in the ledger, and the next daemon goes
 * on from there.
 */
export class WorkerWatch {
  readonly #parts: WorkerWatchParts;
  readonly #over = new AbortController();
  readonly #busy = new Set<string>();
  #hint = new AbortController();
  #watching: Promise<void> | undefined;
  #isTroubled = false;

  constructor(parts: WorkerWatchParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#watching ??= this.#watch();
  }

  /** Something was committed for a worker that has ended. */
  look(): void {
    this.#hint.abort();
  }

  /** Nothing more begins. What is under way ends with the fleet, which is closed after this. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { bus, clock } = this.#parts;
    const { signal } = this.#over;
    const news = bus.subscribe(['message.*.*', 'agent.*.*'], { isInside: true });
    try {
      let next = news.next();
      while (!signal.aborted) {
        // Before the look: a hint during it makes another one.
        this.#hint = new AbortController();
        const waitMs = await this.#look();
        const enough = new AbortController();
        const { signal: end, leave } = joinSignals([signal, this.#hint.signal, enough.signal]);
        const sleep = pause(clock, waitMs, end).then(() => 'time' as const);
        if ((await Promise.race([next, sleep])) !== 'time') next = news.next();
        enough.abort();
        leave();
        await pause(clock, gatherMs, signal);
      }
    } finally {
      news.close();
    }
  }

  /** Returns after how long it looks again without any news. */
  async #look(): Promise<number> {
    const { ledger, fleet } = this.#parts;
    try {
      const workers = await ledger.read((tx) => tx.agents.listWorkers());
      for (const { id, calledBy } of workers) {
        if (calledBy !== undefined) this.#begin(id, () => fleet.bringBack(id));
        else this.#begin(id, () => fleet.endWorker(id));
      }
      this.#isTroubled = false;
      return workers.length > 0 ? soonMs : idleMs;
    } catch (error) {
      this.#tell(error, {});
      return soonMs;
    }
  }

  /** One thing at a time for each worker. */
  #begin(id: string, work: () => Promise<unknown>): void {
    if (this.#busy.has(id)) return;
    this.#busy.add(id);
    void work()
      .catch((error: unknown) => this.#tell(error, { agent: id }))
      .finally(() => this.#busy.delete(id));
  }

  /** Once per spell; the next look tries it again. */
  #tell(error: unknown, facts: object): void {
    reportBug('ending a worker with its task', error);
    if (this.#isTroubled) return;
    this.#isTroubled = true;
    this.#parts.log.warn({ ...facts, ...errorFacts(error) }, 'a worker could not be ended');
  }
}
