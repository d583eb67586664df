import { reportBug } from '../shared/report-bug.ts';
import type { FleetLog } from './parts.ts';

/**
 * What goes wrong with parts of one agent. Told once per spell: a broken part of one agent neither
 * floods the log nor harms another agent.
 */
export class Troubles {
  readonly #agent: string;
  readonly #log: FleetLog;
  #isOpen = false;

  constructor(agent: string, log: FleetLog) {
    this.#agent = agent;
    this.#log = log;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** A spell is over: it was looked at without trouble. */
  end(): void {
    this.#isOpen = false;
  }

  attempt<T>(where: string, work: () => T | undefined): T | undefined {
    try {
      return work();
    } catch (error) {
      // Reported by take.
      this.take(where, error);
      return undefined;
    }
  }

  readonly take = (where: string, error: unknown): void => {
    reportBug(where, error);
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#log.warn({ agent: this.#agent, error: String(error) }, `trouble with ${where}`);
  };
}
