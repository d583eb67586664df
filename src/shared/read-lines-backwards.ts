import type { FileHandle } from 'node:fs/promises';
import { openFile } from './open-file.ts';

export interface BackwardsOptions {
  /** A longer line is passed over and told as `too-long`; nothing larger than this is ever held. */
  readonly maxLineBytes?: number;
  readonly chunkBytes?: number;
  readonly signal?: AbortSignal;
}

/** Transcripts hold single lines of 16 MB (a pasted image, a tool's output). */
const longestLine = 32 * 1024 * 1024;
const usualChunk = 256 * 1024;

/**
 * The lines of a file from its last to its first, without blank ones, in bounded memory: what
 * stands at the end of a 200 MB file is found after one read. A last line without its newline is
 * still being written and does not count.
 */
export async function* readLinesBackwards(
  path: string,
  { maxLineBytes = longestLine, chunkBytes = usualChunk, signal }: BackwardsOptions = {},
): AsyncGenerator<Buffer | 'too-long'> {
  const file = await openFile(path);
  try {
    const line = new GrowingLine(maxLineBytes);
    let isAfterNewline = false;
    for (let end = (await file.stat()).size; end > 0; ) {
      signal?.throwIfAborted();
      const start = Math.max(0, end - chunkBytes);
      const chunk = await readRange(file, start, end);
      for (let lineEnd = chunk.length; ; ) {
        const newline = lineEnd === 0 ? -1 : chunk.lastIndexOf(10, lineEnd - 1);
        line.prepend(chunk.subarray(newline + 1, lineEnd));
        if (newline < 0) break;
        const whole = line.take();
        if (isAfterNewline && whole !== undefined) yield whole;
        isAfterNewline = true;
        lineEnd = newline;
      }
      end = start;
    }
    const first = line.take();
    if (isAfterNewline && first !== undefined) yield first;
  } finally {
    await file.close();
  }
}

/** One line that is found piece by piece, its end first. */
class GrowingLine {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  prepend(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) this.#pieces = [];
    else this.#pieces.unshift(piece);
  }

  take(): Buffer | 'too-long' | undefined {
    const isTooLong = this.#bytes > this.#maxBytes;
    const whole = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    if (isTooLong) return 'too-long';
    return whole === undefined || whole.length === 0 ? undefined : whole;
  }
}

/** Shorter when the file was cut meanwhile. */
async function readRange(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(end - start);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
