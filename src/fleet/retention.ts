import { prune } from '../delivery/prune.ts';
import { type Clock, pause } from '../shared/clock.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { Fault } from '../shared/fault.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Ledger } from '../store/ledger.ts';
import { forgetAgents } from './forget-agents.ts';
import type { FleetParts } from './parts.ts';
import { sweepFiles } from './sweep-files.ts';

/** When the daemon has settled in; the day's first agents are not to wait for the past. */
const firstMs = 5000;
const everyMs = 3_600_000;
/** After a fault: a full disk or an error of the disk. */
const againMs = 600_000;
/**
 * Others keep the ledger locked for longer than this: they go first, and the step that failed is
 * tried again a moment later. A whole round would look at every message once more.
 */
const waitMs = 20;
const afterBusyMs = 1000;
/**
 * After each step it rests four times as long as that took: it never has more than a fifth of the
 * time, however slow the disk.
 */
const restFactor = 4;
const restMs = { least: 20, most: 1000 } as const;
/** Steps between two checkpoints. Each leaves less for whoever commits next to carry over. */
const checkpointEvery = 4;

export interface RetentionParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly folders: Pick<FleetParts['folders'], 'snapshots' | 'logs' | 'run'>;
  readonly log: FleetParts['log'];
  readonly retentionMs: number;
}

/**
 * Keeps the ledger and the state folder from growing without end, soon after the daemon's start and
 * then every hour. It owns nothing but its own loop. It may touch what is past the retention and
 * needed by nothing: ended messages, removed agents, their files, free pages. Its writes come last
 * among those of the daemon, each is a transaction of some milliseconds, and it rests between them.
 * When it dies, by a signal, a kill or a fault, every step is there whole or not at all, and the
 * next round, of this daemon or another, goes on from the ledger. A fault is told once, until a
 * round has come to its end again.
 */
export class Retention {
  readonly #parts: RetentionParts;
  readonly #over = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #trouble: string | undefined;
  #steps = 0;
  #resumedAtMs = 0;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when nothing of it is under way any more: a step, at most. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock } = this.#parts;
    for (let ms = firstMs; await pause(clock, ms, this.#over.signal); ) ms = await this.#try();
  }

  /** How long to wait for the next one. */
  async #try(): Promise<number> {
    try {
      this.#tell(await this.#round());
      return this.#trouble === undefined ? everyMs : againMs;
    } catch (error) {
      if (isBusy(error)) return afterBusyMs;
      reportBug('keeping the retention', error);
      this.#tell(String(error));
      return againMs;
    }
  }

  /** What went wrong on the way, if anything. */
  async #round(): Promise<string | undefined> {
    const { clock, retentionMs, log, folders } = this.#parts;
    const { space } = this.#parts.ledger;
    const ledger: RetainedLedger = {
      read: (work) => this.#whenFree(() => this.#parts.ledger.read(work)),
      write: (work, how) => this.#whenFree(() => this.#parts.ledger.write(work, how)),
    };
    const { signal } = this.#over;
    const giveBack = () => this.#whenFree(() => space.giveBack({ haste: 'last', waitMs }));
    const options = { haste: 'last', waitMs, signal, rest: () => this.#rest() } as const;
    this.#resumedAtMs = clock.monotonicMs();
    const messages = await prune(ledger, clock, retentionMs, options);
    const { agents, rows } = await forgetAgents(ledger, clock, retentionMs, options);
    const files = await sweepFiles({ ledger, folders }, clock.now() - retentionMs, signal);
    let steps = 0;
    while (!signal.aborted && (await giveBack())) {
      await reachFailPoint('space.committed');
      steps++;
      await this.#rest();
    }
    // The log still holds what was deleted, the text of a decision as well as that of a message.
    const hasDeleted = messages > 0 || agents.length > 0 || rows > 0 || steps > 0;
    if (hasDeleted && !signal.aborted) {
      await reachFailPoint('retention.log');
      await space.emptyLog();
      const gone = { messages, agents: agents.length, rows, files: files.removed };
      log.info(gone, 'what was past the retention is gone');
    }
    return files.troubles[0];
  }

  /** Others write all the time: nothing is wrong with that, and nothing to be told. */
  async #whenFree<T>(step: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!isBusy(error)) throw error;
        const { clock } = this.#parts;
        if (!(await pause(clock, afterBusyMs, this.#over.signal))) throw error;
        this.#resumedAtMs = clock.monotonicMs();
      }
    }
  }

  async #rest(): Promise<void> {
    const { ledger, clock } = this.#parts;
    if (++this.#steps % checkpointEvery === 0) await ledger.space.checkpoint();
    const tookMs = clock.monotonicMs() - this.#resumedAtMs;
    const ms = Math.min(Math.max(tookMs * restFactor, restMs.least), restMs.most);
    await pause(clock, ms, this.#over.signal);
    this.#resumedAtMs = clock.monotonicMs();
  }

  #tell(trouble: string | undefined): void {
    const { log } = this.#parts;
    if (trouble !== undefined && this.#trouble === undefined) {
      log.warn({ trouble }, 'what is past the retention could not be removed; it is tried again');
    }
    if (trouble === undefined && this.#trouble !== undefined) {
      log.info({}, 'what is past the retention is removed again');
    }
    this.#trouble = trouble;
  }
}

type RetainedLedger = Pick<Ledger, 'read' | 'write'>;

function isBusy(error: unknown): boolean {
  return error instanceof Fault && error.code === 'ledger-busy';
}
