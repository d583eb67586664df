import { type FSWatcher, watch } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openFile } from '../../shared/open-file.ts';
import { reportBug } from '../../shared/report-bug.ts';

export interface EventFileParts {
  readonly onLine: (line: string) => void;
  /** After each batch of lines; `isNews` is false for what was there before. */
  readonly onRead: (isNews: boolean) => void;
  /** For tests of what happens at inotify's limit. */
  readonly watchFile?: WatchFile;
}

export type WatchFile = (path: string, onChange: () => void) => FSWatcher;

/**
 * A file that another program appends lines to, read as it grows. Where no watch can be had
 * (inotify's limit, no such file yet) it is read after `check` instead. It reads at most the last
 * 256 KB of what was there before, holds at most one line of 16 MB, passes over longer ones (O5),
 * and never throws. It owns the handle and the watcher, and dies with `close`.
 */
export class EventFile {
  readonly #path: string;
  readonly #parts: EventFileParts;
  #watcher: FSWatcher | undefined;
  #handle: FileHandle | undefined;
  #offset = 0;
  /** The line that has begun, piece by piece. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isReading = false;
  #isStale = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(path: string, parts: EventFileParts) {
    this.#path = path;
    this.#parts = parts;
  }

  open(): void {
    this.#openWatcher();
    void this.#read();
  }

  check(): void {
    if (this.#watcher || this.#timer || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#openWatcher();
      void this.#read();
    }, burstMs);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#watcher = undefined;
    // A read under way closes it when it is done.
    if (!this.#isReading) this.#closeHandle();
  }

  #openWatcher(): void {
    if (this.#isClosed || this.#watcher) return;
    const { watchFile = watchWithNode } = this.#parts;
    try {
      const watcher = watchFile(this.#path, () => void this.#read());
      watcher.on('error', () => {
        watcher.close();
        if (this.#watcher === watcher) this.#watcher = undefined;
      });
      this.#watcher = watcher;
    } catch {
      // ENOENT, or EMFILE and ENOSPC at inotify's limits: output drives us.
    }
  }

  async #read(): Promise<void> {
    if (this.#isReading) {
      this.#isStale = true;
      return;
    }
    this.#isReading = true;
    try {
      do {
        this.#isStale = false;
        await this.#readGrowth();
      } while (this.#isStale && !this.#isClosed);
    } catch (error) {
      // The file is not there, or not ours to read: the next event or check tries again.
      reportBug("reading Qwen Code's events", error);
      this.#closeHandle();
    } finally {
      this.#isReading = false;
      if (this.#isClosed) this.#closeHandle();
    }
  }

  async #readGrowth(): Promise<void> {
    const isFirst = this.#handle === undefined;
    this.#handle ??= await openFile(this.#path);
    const handle = this.#handle;
    const { size } = await handle.stat();
    // It was emptied: what comes is new.
    if (size < this.#offset) this.#startAt(0);
    if (isFirst && this.#offset === 0 && size > oldBytes) this.#startAt(size - oldBytes);
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, this.#offset);
      if (bytesRead === 0 || this.#isClosed) break;
      this.#offset += bytesRead;
      this.#take(chunk.subarray(0, bytesRead));
    }
    if (!this.#isClosed) this.#parts.onRead(!isFirst);
  }

  #startAt(offset: number): void {
    this.#offset = offset;
    this.#pieces = [];
    // In the middle of a line its rest is no line.
    this.#bytes = offset === 0 ? 0 : maxLineBytes + 1;
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#add(chunk.subarray(start, end));
      if (this.#bytes <= maxLineBytes) {
        this.#parts.onLine(Buffer.concat(this.#pieces).toString('utf8'));
      }
      this.#pieces = [];
      this.#bytes = 0;
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    // A copy: the chunk is read into again.
    if (this.#bytes <= maxLineBytes) this.#pieces.push(Buffer.from(piece));
    else this.#pieces = [];
  }

  #closeHandle(): void {
    // It was only read.
    void this.#handle?.close().catch(() => undefined);
    this.#handle = undefined;
  }
}

/** Output comes in bursts; one read per burst is enough. */
const burstMs = 50;
const chunkBytes = 64 * 1024;
const oldBytes = 256 * 1024;
const maxLineBytes = 16 * 1024 * 1024;

function watchWithNode(path: string, onChange: () => void): FSWatcher {
  return watch(path, { persistent: false }, onChange);
}
