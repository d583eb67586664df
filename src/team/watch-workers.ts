import type { Bus, Subscription } from '../events/bus.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { type Clock, pause } from '../shared/clock.ts';
import { isForDiskTrouble } from '../shared/disk-trouble.ts';
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

/**
 * After a start that failed for a full disk: each one leaves a life that has ended in the ledger,
 * whose end is news, and so worth the next look.
 */
const leastPauseMs = 1000;
const mostPauseMs = 60_000;

interface Pause {
  readonly ms: number;
  /** Monotonic. */
  readonly until: number;
}

/** In the place of an id: the ledger could not be read. */
const everybody = '';

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
  /** Whose trouble was told: ids of workers, or `everybody`. */
  readonly #troubled = new Set<string>();
  readonly #pauses = new Map<string, Pause>();

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
    signal.addEventListener('abort', () => news.close());
    const listening = this.#listen(news);
    while (!signal.aborted) {
      // Before the look: what happens during it is worth another one.
      this.#hint = new AbortController();
      const waitMs = await this.#look();
      const { signal: either, leave } = joinSignals([signal, this.#hint.signal]);
      await pause(clock, waitMs, either);
      leave();
      await pause(clock, gatherMs, signal);
    }
    await listening;
  }

  /** One after the other, and none is kept. */
  async #listen(news: Subscription): Promise<void> {
    while (await news.next()) this.look();
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
      this.#troubled.delete(everybody);
      for (const id of this.#troubled)
        if (!workers.some((worker) => worker.id === id)) this.#forget(id);
      return workers.length > 0 ? soonMs : idleMs;
    } catch (error) {
      this.#tell(everybody, error);
      return soonMs;
    }
  }

  /** One thing at a time for each worker. */
  #begin(id: string, work: () => Promise<unknown>): void {
    const { until = 0 } = this.#pauses.get(id) ?? {};
    if (this.#busy.has(id) || this.#parts.clock.monotonicMs() < until) return;
    this.#busy.add(id);
    void work()
      .then(
        () => this.#forget(id),
        (error: unknown) => {
          this.#pause(id, error);
          this.#tell(id, error);
        },
      )
      .finally(() => this.#busy.delete(id));
  }

  #forget(id: string): void {
    this.#troubled.delete(id);
    this.#pauses.delete(id);
  }

  #pause(id: string, error: unknown): void {
    if (!isForDiskTrouble(error)) return;
    const { ms: last = leastPauseMs / 2 } = this.#pauses.get(id) ?? {};
    const ms = Math.min(last * 2, mostPauseMs);
    this.#pauses.set(id, { ms, until: this.#parts.clock.monotonicMs() + ms });
  }

  /** Once per spell of each; the next look tries it again. */
  #tell(whom: string, error: unknown): void {
    reportBug('ending a worker, or bringing one back', error);
    if (this.#troubled.has(whom)) return;
    this.#troubled.add(whom);
    const agent = whom === everybody ? {} : { agent: whom };
    const what = 'a worker could not be ended or brought back; trying again';
    this.#parts.log.warn({ ...agent, ...errorFacts(error) }, what);
  }
}
