import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../shared/clock.ts';

export interface LogFileOptions {
  readonly clock: Clock;
  /** Rotated when it grows beyond this. */
  readonly maxBytes: number;
  /** Old files that are kept, as `.1` to `.n`. */
  readonly keep: number;
}

/** After a failed write the file is left alone for so long. */
const retryMs = 1000;

/**
 * A file of lines that is rotated by size. Whatever happens to it (a full disk, a folder that is
 * gone, a file that somebody moved away), a write neither throws nor waits: lines are lost,
 * counted, and the count is the first thing written when it works again. Written at once and
 * synchronously: a line that says why a process died must not die with it, and a daemon logs a few
 * lines a minute.
 */
export class LogFile {
  readonly #path: string;
  readonly #options: LogFileOptions;
  #fd: number | undefined;
  #size = 0;
  #lost = 0;
  #retryAtMs = 0;

  constructor(path: string, options: LogFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  get lost(): number {
    return this.#lost;
  }

  write(line: string): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#lost > 0 && nowMs < this.#retryAtMs) {
      this.#lost++;
      return;
    }
    try {
      if (this.#lost > 0) this.#append(this.#confess());
      this.#lost = 0;
      this.#append(line);
    } catch {
      // A full disk, say: what is lost is counted, and the log itself says so later.
      this.#lost++;
      this.#retryAtMs = nowMs + retryMs;
      this.close();
    }
  }

  /** Somebody moved or deleted the file: what is written from now on goes to a new one. */
  follow(): void {
    if (this.#fd === undefined) return;
    try {
      if (statSync(this.#path).ino === fstatSync(this.#fd).ino) return;
    } catch {
      // It is gone.
    }
    this.close();
  }

  close(): void {
    if (this.#fd === undefined) return;
    try {
      closeSync(this.#fd);
    } catch {
      // What could not be written was counted.
    }
    this.#fd = undefined;
  }

  #append(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#fd !== undefined && this.#size + bytes.length > this.#options.maxBytes)
      this.#rotate();
    this.#fd ??= this.#open();
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(this.#fd, bytes, sent);
    this.#size += bytes.length;
  }

  #open(): number {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const fd = openSync(this.#path, 'a', 0o600);
    this.#size = fstatSync(fd).size;
    return fd;
  }

  #rotate(): void {
    this.close();
    const { keep } = this.#options;
    rmSync(`${this.#path}.${keep}`, { force: true });
    for (let n = keep - 1; n >= 0; n--) {
      const from = n === 0 ? this.#path : `${this.#path}.${n}`;
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${this.#path}.${n + 1}`);
    }
  }

  #confess(): string {
    const time = new Date(this.#options.clock.now()).toISOString();
    const text = 'lines of this log were lost: it could not be written';
    return `${JSON.stringify({ level: 'warn', time, lost: this.#lost, text })}\n`;
  }
}
