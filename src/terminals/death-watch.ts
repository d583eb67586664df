import { systemClock, untilBeat } from '../shared/clock.ts';
import { readStartTime } from '../shared/processes.ts';
import type { Terminal } from './terminal.ts';

/** A hundred looks at /proc take 2 ms. */
const everyMs = 1000;

/**
 * Looks at the processes themselves, since a backend may not tell of their end: tmux 3.3a misses it
 * now and then (22 of 40 programs that lived 50 ms, on Linux 6.18; its SIGCHLD got lost), and what
 * herdr tells is a hint that may come late.
 */
export class DeathWatch {
  readonly #onDeath: () => void;
  readonly #living = new Map<string, Pick<Terminal, 'pid' | 'startedAt'>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(onDeath: () => void) {
    this.#onDeath = onDeath;
    this.#arm();
  }

  add({ pane, pid, startedAt }: Terminal): void {
    if (startedAt !== '') this.#living.set(pane, { pid, startedAt });
  }

  /** What is there now; all others are forgotten. */
  replace(terminals: readonly Terminal[]): void {
    this.#living.clear();
    for (const terminal of terminals) this.add(terminal);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #arm(): void {
    this.#timer = setTimeout(
      () => {
        this.#arm();
        this.#look();
      },
      untilBeat(systemClock, everyMs),
    );
    this.#timer.unref();
  }

  #look(): void {
    let hasDied = false;
    for (const [pane, { pid, startedAt }] of this.#living) {
      if (readStartTime(pid) === startedAt) continue;
      this.#living.delete(pane);
      hasDied = true;
    }
    if (hasDied) this.#onDeath();
  }
}
