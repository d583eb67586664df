import { createSecret } from '../shared/ids.ts';
import { errorFacts } from '../shared/log.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Cause } from './cause.ts';
import { type DesktopChoice, runCommand, showOnDesktop, type TellParts } from './tell.ts';

export interface AttentionSettings {
  readonly desktop: DesktopChoice;
  /** Of the user's own config.yaml; empty: none. */
  readonly command: string;
}

type Shown = 'desktop' | 'command';

/**
 * Runs the programs that tell a person: one at a time on each path, and whatever comes meanwhile
 * goes into the next one. A program that hangs holds up its own path alone, until its limit.
 */
export class Teller {
  readonly #parts: TellParts;
  readonly #onRuns: () => void;
  /** Of what runs now. */
  readonly #marks = new Set<string>();
  readonly #waiting = new Map<Shown, readonly Cause[]>();
  readonly #runs = new Map<Shown, Promise<void>>();
  #settings: AttentionSettings = { desktop: 'off', command: '' };

  /** `onRuns` is told before a program begins, and when it has ended, but not after the end. */
  constructor(parts: TellParts, onRuns: () => void) {
    this.#parts = parts;
    this.#onRuns = onRuns;
  }

  /** `NAME=value` of each program that runs: by it all that it started is found. */
  get running(): readonly string[] {
    return [...this.#marks];
  }

  tell(path: Shown, causes: readonly Cause[], settings: AttentionSettings): void {
    if (this.#parts.over.aborted) return;
    this.#settings = settings;
    this.#waiting.set(path, [...(this.#waiting.get(path) ?? []), ...causes]);
    if (!this.#runs.has(path)) this.#runs.set(path, this.#empty(path));
  }

  async ended(): Promise<void> {
    await Promise.all(this.#runs.values());
  }

  /**
   * That nothing waits and that nobody runs any more become so in one step: what came in between
   * would wait for the next cause.
   */
  async #empty(path: Shown): Promise<void> {
    for (;;) {
      const causes = this.#waiting.get(path) ?? [];
      this.#waiting.delete(path);
      if (causes.length === 0 || this.#parts.over.aborted) break;
      await this.#act(path, causes);
    }
    this.#runs.delete(path);
  }

  async #act(path: Shown, causes: readonly Cause[]): Promise<void> {
    const { desktop, command } = this.#settings;
    const isOff = path === 'desktop' ? desktop === 'off' : command === '';
    if (isOff) return;
    // What an earlier one has left running is the user's own by now: a browser, a terminal.
    const mark = `${this.#parts.markName}=${createSecret('run')}`;
    const parts = { ...this.#parts, mark };
    this.#marks.add(mark);
    try {
      this.#onRuns();
      if (path === 'desktop') await showOnDesktop(parts, desktop, causes);
      else await runCommand(parts, command, causes);
    } catch (error) {
      reportBug(`telling by ${path}`, error);
      this.#parts.log.error(errorFacts(error), 'something that needs a person was not told');
    } finally {
      this.#marks.delete(mark);
      if (!this.#parts.over.aborted) this.#onRuns();
    }
  }
}
