import type { FleetParts } from './parts.ts';
import { reconcile } from './reconcile.ts';
import type { Roster } from './roster.ts';

/** Notifications may be missed; the backend is asked this often in any case. */
const everyMs = 10_000;
/** A burst of notifications (a window closes, a session goes) is one look. */
const gatherMs = 20;

/**
 * Decides when to reconcile: on every hint, gathered, and now and then. One at a time; a hint during one makes another. It
 * dies with `close`, which waits for the one under way.
 */
export class Reconciler {
  readonly #parts: FleetParts;
  readonly #roster: Roster;
  #soon: NodeJS.Timeout | undefined;
  #regular: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isAsked = false;
  #isClosed = false;
  #isFailing = false;

  constructor(parts: FleetParts, roster: Roster) {
    this.#parts = parts;
    this.#roster = roster;
  }

  async start(): Promise<void> {
    await this.#run();
    this.#regular = setInterval(() => this.ask(), everyMs);
    this.#regular.unref();
  }

  ask(): void {
    if (this.#isClosed || this.#soon) return;
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
    this.#isClosed = true;
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

  /** A backend that cannot be asked leaves everything as it is; it is asked again (B10). Told once per spell. */
  async #reconcile(): Promise<void> {
    try {
      await reconcile(this.#parts, this.#roster);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#parts.log.warn({ error: String(error) }, 'could not reconcile; trying again');
      this.#isFailing = true;
    }
  }
}
