import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../shared/clock.ts';

/**
 * Raw output of one terminal, to a file (E7). Nobody waits for it: bytes are queued up to a bound
 * and written behind; what does not fit, comes faster than the bound below, or meets a full disk is
 * dropped, and its place is marked. The file is rotated, so that a terminal takes at most twice
 * `rotateBytes`.
 */
export class OutputLog {
  readonly #path: string;
  readonly #options: OutputLogOptions;
  #queue: Piece[] = [];
  #queuedBytes = 0;
  #droppedBytes = 0;
  #allowance: number;
  #allowanceAt: number;
  #writing: Promise<void> | undefined;
  #file: { readonly handle: FileHandle; size: number } | undefined;
  #trouble: { readonly retryAt: number } | undefined;

  constructor(path: string, options: OutputLogOptions) {
    this.#path = path;
    this.#options = options;
    this.#allowance = options.burstBytes ?? burstBytes;
    this.#allowanceAt = options.clock.monotonicMs();
  }

  append(bytes: Buffer): void {
    if (!this.#take(bytes.length)) {
      this.#droppedBytes += bytes.length;
      return;
    }
    this.#enqueue(bytes);
    this.#writing ??= this.#drain();
  }

  /** A line of ours, for example where the terminal could not be heard for a while. */
  note(text: string): void {
    this.append(Buffer.from(describeGap(text)));
  }

  /** Everything appended so far was written, or given up. */
  async flushed(): Promise<void> {
    await this.#writing;
  }

  /** Writes what is queued and lets the file go. */
  async close(): Promise<void> {
    if (!this.#trouble) {
      if (this.#droppedBytes > 0) this.#enqueue(Buffer.alloc(0));
      this.#writing ??= this.#drain();
    }
    await this.#writing;
    await this.#release();
  }

  /** Whether there is room: in the queue, and in what a terminal may write in the long run. */
  #take(length: number): boolean {
    const now = this.#options.clock.monotonicMs();
    if (this.#trouble && now < this.#trouble.retryAt) return false;
    const { sustainedBytesPerSecond: rate = sustainedBytesPerSecond } = this.#options;
    const refilled = this.#allowance + ((now - this.#allowanceAt) / 1000) * rate;
    this.#allowance = Math.min(this.#options.burstBytes ?? burstBytes, refilled);
    this.#allowanceAt = now;
    const bound = this.#options.queueBytes ?? queueBytes;
    if (this.#queuedBytes + length > bound || length > this.#allowance) return false;
    this.#allowance -= length;
    return true;
  }

  /** What was dropped before it goes with it: should it be lost too, both are counted again. */
  #enqueue(bytes: Buffer): void {
    this.#queue.push({ lost: this.#droppedBytes, bytes });
    this.#droppedBytes = 0;
    this.#queuedBytes += bytes.length;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const pieces = this.#queue;
      this.#queue = [];
      const text = Buffer.concat(pieces.flatMap(({ lost, bytes }) => [mark(lost), bytes]));
      const written = await this.#write(text);
      for (const { lost, bytes } of pieces) {
        this.#queuedBytes -= bytes.length;
        if (written < text.length) this.#droppedBytes += lost + bytes.length;
      }
      // A disk that became full in between holds a part of it.
      if (written < text.length) this.#droppedBytes -= Math.min(written, this.#droppedBytes);
    }
    this.#writing = undefined;
  }

  /** How many bytes are in the file; never throws. */
  async #write(bytes: Buffer): Promise<number> {
    let written = 0;
    try {
      this.#file ??= await this.#open();
      const file = this.#file;
      while (written < bytes.length) {
        const done = await file.handle.write(bytes, written);
        written += done.bytesWritten;
        file.size += done.bytesWritten;
      }
      if (this.#trouble) this.#options.trouble(undefined);
      this.#trouble = undefined;
      if (file.size >= (this.#options.rotateBytes ?? rotateBytes)) await this.#rotate();
    } catch (error) {
      await this.#fail(error as NodeJS.ErrnoException);
    }
    return written;
  }

  async #open(): Promise<{ handle: FileHandle; size: number }> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const handle = await open(this.#path, 'a', 0o600);
    return { handle, size: (await handle.stat()).size };
  }

  async #rotate(): Promise<void> {
    await this.#release();
    await rename(this.#path, `${this.#path}.1`);
  }

  async #fail(error: NodeJS.ErrnoException): Promise<void> {
    if (!this.#trouble) this.#options.trouble(`${this.#path}: ${error.code ?? error.message}`);
    this.#trouble = { retryAt: this.#options.clock.monotonicMs() + retryMs };
    // Opened anew next time: the file may be gone, or the disk another one.
    await this.#release();
  }

  async #release(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    // What could not be written was told; a file that cannot be closed holds nothing more.
    await file?.handle.close().catch(() => undefined);
  }
}

export interface OutputLogOptions {
  readonly clock: Clock;
  /** Told once when writing fails, and with undefined when it works again. */
  readonly trouble: (trouble: string | undefined) => void;
  readonly rotateBytes?: number;
  readonly queueBytes?: number;
  readonly burstBytes?: number;
  readonly sustainedBytesPerSecond?: number;
}

interface Piece {
  /** Bytes dropped before these. */
  readonly lost: number;
  readonly bytes: Buffer;
}

function mark(lost: number): Buffer {
  return Buffer.from(lost === 0 ? '' : describeGap(`${lost} bytes dropped here`));
}

const rotateBytes = 8 * 1024 * 1024;
/** What may wait for the disk. */
const queueBytes = 1024 * 1024;
/**
 * `yes` prints 10 MB a second: written out, that would wear a disk for a file of which 16 MB are
 * kept.
 */
const burstBytes = 8 * 1024 * 1024;
const sustainedBytesPerSecond = 1024 * 1024;
const retryMs = 1000;

/** A terminal needs both to begin a line: `logs` replays the file in one. */
function describeGap(text: string): string {
  return `${noteBegin}${text.replaceAll('\n', '\r\n')}]\r\n`;
}

/** What stands before each note of ours: bytes may be missing there, and so a sequence's end. */
export const noteBegin = '\r\n[signalbox: ';
/** Of the note behind which nothing of that program comes any more. */
export const endedNote = 'its program ended; its last screen was';
