import { Fault } from '../shared/fault.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Backend } from '../terminals/backend.ts';
import type { FleetParts } from './parts.ts';
import { reconcile } from './reconcile.ts';
import type { Roster } from './roster.ts';

/** Notifications may be missed; the backend is asked this often in any case. */
const everyMs = 10_000;
/** A burst of notifications (a window closes, a session goes) is one look. */
const gatherMs = 20;

/**
 * Decides when one backend is reconciled: on every hint, gathered, and now and then. One at a time;
 * a hint during one makes another. A backend that could not be started is started by the next one.
 * It dies with `close`, which waits for the one under way, but for no start.
 */
export class Reconciler {
  readonly backend: Backend;
  readonly #parts: FleetParts;
  readonly #roster: Roster;
  readonly #over = new AbortController();
  #started: Promise<void> | undefined;
  #begun: Promise<void> | undefined;
  #soon: NodeJS.Timeout | undefined;
  #regular: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isAsked = false;
  #trouble: string | undefined;
  #mismatch: Fault | undefined;

  constructor(parts: FleetParts, roster: Roster, backend: Backend) {
    this.#parts = parts;
    this.#roster = roster;
    this.backend = backend;
  }

  /** Why the last one failed. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Resolves when the backend has been started; whoever asks after a failure tries again. */
  async ready(): Promise<void> {
    const { signal } = this.#over;
    signal.throwIfAborted();
    this.#started ??= this.backend.start().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    let end = (): void => undefined;
    const closed = new Promise<never>((_, reject) => {
      end = () => reject(signal.reason);
    });
    signal.addEventListener('abort', end);
    try {
      await Promise.race([this.#started, closed]);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /**
   * Resolves after the first one; then they go on by themselves. Throws where the agents in it can
   * never be judged by this daemon.
   */
  start(): Promise<void> {
    this.#begun ??= this.#run().then(() => {
      if (this.#mismatch) throw this.#mismatch;
      if (this.#over.signal.aborted) return;
      this.#regular = setInterval(() => this.ask(), everyMs);
      this.#regular.unref();
    });
    return this.#begun;
  }

  ask(): void {
    if (this.#over.signal.aborted || this.#soon) return;
    if (this.#running !== undefined) {
      this.#isAsked = true;
      return;
    }
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      void this.#run();
    }, gatherMs);
    this.#soon.unref();
  }

  async close(): Promise<void> {
    const { name } = this.backend;
    const next = 'Ask again; the next command starts another.';
    this.#over.abort(new Fault('backend-lost', `The daemon ends and leaves ${name}.`, next));
    clearTimeout(this.#soon);
    clearInterval(this.#regular);
    await this.#running;
  }

  #run(): Promise<void> {
    this.#running ??= this.#reconcile().finally(() => {
      this.#running = undefined;
      if (!this.#isAsked) return;
      this.#isAsked = false;
      this.ask();
    });
    return this.#running;
  }

  /**
   * A backend that cannot be asked leaves everything as it is; it is asked again (B10). Told once
   * per spell.
   */
  async #reconcile(): Promise<void> {
    try {
      await this.ready();
      await reconcile(this.#parts, this.#roster, this.backend);
      this.#trouble = undefined;
    } catch (error) {
      reportBug('reconciling a backend', error);
      if (this.#over.signal.aborted) return;
      const facts = { backend: this.backend.name, error: String(error) };
      if (error instanceof Fault && error.code === 'backend-mismatch') this.#mismatch = error;
      if (this.#trouble === undefined)
        this.#parts.log.warn(facts, 'could not reconcile; trying again');
      this.#trouble = error instanceof Error ? error.message : String(error);
    }
  }
}
