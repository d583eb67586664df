import { type Clock, pause } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Look } from '../terminals/backend.ts';

/** A CLI prints its last words before it listens for the signal. */
const pausesMs = [300, 1000, 3000, 10_000] as const;
/** Behind these words stands at most a note, and what a person has typed since. */
const lastRows = 4;

/**
 * A person pressed Ctrl-Z. Claude Code 2.1.325, Copilot CLI 1.0.102 and OpenCode 1.18.33 then give
 * their terminal back, stop themselves and wait to be continued. In a terminal of ours there is no
 * shell whose `fg` could do that, and the kernel stops nobody in a session without one: the CLI
 * waits on, awake and blind, and takes neither keys nor messages. tmux continues a program that
 * really stops; here that is our part. The signal does nothing to a program that did not wait.
 */
export class Suspended {
  readonly #clock: Clock;
  readonly #proceed: () => void;
  readonly #over = new AbortController();
  #isSuspended = false;
  #isTrying = false;

  constructor(clock: Clock, proceed: () => void) {
    this.#clock = clock;
    this.#proceed = proceed;
  }

  note(look: Look): void {
    const was = this.#isSuspended;
    this.#isSuspended = look.isAlive && look.humanKeyAt !== undefined && looksSuspended(look);
    if (!this.#isSuspended || was || this.#isTrying) return;
    void this.#try().catch((error: unknown) => reportBug('continuing a suspended CLI', error));
  }

  close(): void {
    this.#over.abort();
  }

  async #try(): Promise<void> {
    this.#isTrying = true;
    try {
      for (const ms of pausesMs) {
        if (!(await pause(this.#clock, ms, this.#over.signal)) || !this.#isSuspended) return;
        this.#proceed();
      }
    } finally {
      this.#isTrying = false;
    }
  }
}

/**
 * The last that stands there are words like "… has been suspended. Run `fg` …", or nothing stands
 * there. Where a CLI draws, its composer or footer is the last.
 */
export function looksSuspended({ lines }: Pick<Look, 'lines'>): boolean {
  const rows = lines.filter((line) => line.trim() !== '');
  const last = rows.slice(-lastRows).join(' ');
  return rows.length === 0 || /\bsuspended\b.*\bfg\b/i.test(last);
}

/** The program of a terminal leads a group of its own, with the processes that it really is. */
export function continueGroup(leader: number): void {
  if (leader <= 1) return;
  try {
    process.kill(-leader, 'SIGCONT');
  } catch {
    // It has ended, or is somebody else's: there is nothing to continue.
  }
}
