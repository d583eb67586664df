import { pause } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Backend, BackendState } from '../terminals/backend.ts';
import type { FleetParts } from './parts.ts';
import { Reconciler } from './reconciler.ts';
import type { Roster } from './roster.ts';

/**
 * Whoever started us gets an answer; another backend than the default one has so long to be part of
 * it.
 */
const othersMs = 3000;

/**
 * Keeps every backend that agents live in started and reconciled, each by itself: what one cannot
 * do harms no agent of another, and is tried again. The default one is there from the start, and
 * without it there is no start; another is opened when the ledger knows agents in it, or when one
 * is to be launched there. It dies with `close`; the backends' own end is the fleet's.
 */
export class BackendWatch {
  readonly #parts: FleetParts;
  readonly #roster: Roster;
  readonly #reconcilers = new Map<string, Reconciler>();
  /** Why those cannot be opened at all that the ledger names. */
  readonly #unopened = new Map<string, string>();

  constructor(parts: FleetParts, roster: Roster) {
    this.#parts = parts;
    this.#roster = roster;
  }

  /** Throws when the default backend cannot be started, or its agents cannot be judged. */
  async start(): Promise<void> {
    const { backends, surroundings } = this.#parts;
    const others = (await this.#namesInUse()).filter((name) => name !== backends.default.name);
    const reconciler = this.#open(backends.default.name);
    await reconciler.ready();
    const begun = others.map((name) => this.#tryOpen(name)?.start().catch(tell));
    await reconciler.start();
    const enough = new AbortController();
    await Promise.race([Promise.all(begun), pause(surroundings.clock, othersMs, enough.signal)]);
    enough.abort();
  }

  /**
   * For a life that is to begin in it: opened, started and watched from now on. Throws where that
   * cannot be.
   */
  async ready(name: string): Promise<Backend> {
    const reconciler = this.#open(name);
    await reconciler.ready();
    void reconciler.start().catch(tell);
    return reconciler.backend;
  }

  /** Something may have changed in it. */
  ask(name: string): void {
    this.#reconcilers.get(name)?.ask();
  }

  states(): readonly BackendHealth[] {
    const usual = this.#parts.backends.default.name;
    const opened = [...this.#reconcilers.values()].map(({ backend, trouble }) => {
      const state = backend.state();
      const isSilent = state.state === 'ready' || state.detail !== undefined || !trouble;
      const { name } = backend;
      return {
        name,
        isDefault: name === usual,
        ...state,
        ...(isSilent ? {} : { detail: trouble }),
      };
    });
    const unopened = [...this.#unopened].map(([name, detail]) => ({
      ...({ name, isDefault: false, state: 'down', detail } as const),
    }));
    return [...opened, ...unopened];
  }

  async close(): Promise<void> {
    await Promise.all([...this.#reconcilers.values()].map((reconciler) => reconciler.close()));
  }

  #open(name: string): Reconciler {
    const known = this.#reconcilers.get(name);
    if (known) return known;
    const backend = this.#parts.backends.of(name);
    const reconciler = new Reconciler(this.#parts, this.#roster, backend);
    this.#reconcilers.set(name, reconciler);
    this.#unopened.delete(name);
    return reconciler;
  }

  /** Its agents stay as they are: nobody can say anything about them (B10). */
  #tryOpen(name: string): Reconciler | undefined {
    try {
      return this.#open(name);
    } catch (error) {
      reportBug('opening a backend', error);
      const detail = error instanceof Error ? error.message : String(error);
      this.#unopened.set(name, detail);
      this.#parts.log.warn({ backend: name, error: detail }, 'a backend with agents is not there');
      return undefined;
    }
  }

  /** Of lives that have not ended, and of agents that may be started again. */
  #namesInUse(): Promise<readonly string[]> {
    return this.#parts.ledger.read(async (tx) => {
      const named = [...(await tx.epochs.listOpen()), ...(await tx.agents.list())];
      const names = new Set(named.map(({ backend }) => backend));
      names.delete('none');
      return [...names];
    });
  }
}

export interface BackendHealth extends BackendState {
  readonly name: string;
  readonly isDefault: boolean;
}

/** Its `trouble` says the same, until that is over. */
function tell(error: unknown): void {
  reportBug('watching a backend', error);
}
