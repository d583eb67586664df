import { readStartTime } from '../../shared/processes.ts';
import type { Terminal } from '../backend.ts';

/** A hundred looks at /proc take 2 ms. */
const everyMs = 1000;

/**
 * tmux 3.3a misses the end of a pane's program now and then (22 of 40 programs that lived 50 ms, on Linux 6.18): the pane has
 * no terminal any more, its `pane-died` hook never runs and its exit code stays empty, because the SIGCHLD got lost; the
 * program is a zombie until the next one. So we look at the processes ourselves, and give tmux another SIGCHLD.
 */
export class DeathWatch {
  readonly #onDeath: () => void;
  readonly #living = new Map<string, Pick<Terminal, 'pid' | 'startedAt'>>();
  readonly #timer: NodeJS.Timeout;

  constructor(onDeath: () => void) {
    this.#onDeath = onDeath;
    this.#timer = setInterval(() => this.#look(), everyMs);
    this.#timer.unref();
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
    clearInterval(this.#timer);
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

/** Makes the server wait for its children once more. It handles the signal anyway; another one harms nothing. */
export function remindOfChildren(server: string): void {
  const pid = Number(server.split(':')[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  try {
    process.kill(pid, 'SIGCHLD');
  } catch {
    // It is gone: the connection will tell.
  }
}
