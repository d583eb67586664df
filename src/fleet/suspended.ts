import { type Clock, pause } from '../shared/clock.ts';
import { readStartTime } from '../shared/processes.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Look } from '../terminals/backend.ts';
import type { Terminal } from '../terminals/terminal.ts';

/** A CLI prints its last words before it listens for the signal, on a busy machine long before. */
const pausesMs = [300, 1000, 3000, 10_000, 30_000] as const;
/** Behind these it is tried as often as this for as long as the screen shows it. */
const lastPauseMs = 60_000;
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
  readonly #proceed: () => Continued;
  readonly #say: (what: string) => void;
  readonly #over = new AbortController();
  #isSuspended = false;
  #isTrying = false;

  /** `say`: a note for the person. */
  constructor(clock: Clock, proceed: () => Continued, say: (what: string) => void) {
    this.#clock = clock;
    this.#proceed = proceed;
    this.#say = say;
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

  /**
   * An error of the system, such as that no file can be opened, says nothing: the next try does.
   */
  #continue(): Continued | undefined {
    try {
      return this.#proceed();
    } catch (error) {
      return reportBug('continuing a suspended CLI', error);
    }
  }

  async #try(): Promise<void> {
    this.#isTrying = true;
    try {
      for (let tries = 0; ; tries++) {
        const ms = pausesMs[tries] ?? lastPauseMs;
        if (!(await pause(this.#clock, ms, this.#over.signal)) || !this.#isSuspended) return;
        const continued = this.#continue();
        if (continued === 'gone') return;
        if (continued === 'refused') return this.#say(refused);
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

/** `gone`: it has ended, whoever has its number now. `refused`: it runs as another user. */
export type Continued = 'continued' | 'gone' | 'refused';

const refused =
  'it was suspended with Ctrl-Z, and signalbox may not continue it, since it runs as another user: `kill -CONT` by that user brings it back';

/**
 * The program of a terminal leads a group of its own, with the processes that it really is. Throws
 * where nobody can tell.
 */
export function continueGroup({ pid, startedAt }: Pick<Terminal, 'pid' | 'startedAt'>): Continued {
  // Somebody else's group may have that number by now.
  if (pid <= 1 || readStartTime(pid) !== startedAt) return 'gone';
  try {
    process.kill(-pid, 'SIGCONT');
    return 'continued';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return 'gone';
    if (code === 'EPERM') return 'refused';
    throw error;
  }
}
