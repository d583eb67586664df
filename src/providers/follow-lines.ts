import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openFile } from '../shared/open-file.ts';
import { codeOf, findStats, isMissing } from './record-files.ts';

export interface FollowOptions {
  /** A longer line is passed over and told as `too-long` (O5); nothing larger is ever held. */
  readonly maxLineBytes?: number;
  readonly chunkBytes?: number;
}

/** Transcripts hold single lines of 16 MB (a pasted image, a tool's output). */
const longestLine = 16 * 1024 * 1024;
const usualChunk = 256 * 1024;
/** So many bytes before the place that was read up to are remembered, to know the file again. */
const tailBytes = 64;
/**
 * A file that has grown again each time its end was reached is not waited for: the next call goes
 * on.
 */
const mostRounds = 3;
const nothing: Buffer = Buffer.alloc(0);

/**
 * A file that another program appends lines to, read as it grows. Each call of `readNew` gives the
 * whole lines that were added since the last one, in bounded memory; a line without its newline is
 * still being written and waits. A file that was cut, replaced or written anew is told as
 * `begun-again` and read from its beginning: whoever folds lines starts over there.
 *
 * It holds no handle between calls and needs no closing. One reader at a time. A file that is not
 * there, or not ours to read, gives no lines and a `trouble`, never an error. A reader that stops
 * early gets the rest with the next call. When to call it, `FolderWatch` tells (watch-folder.ts).
 */
export class LineFollower {
  readonly path: string;
  readonly #maxLineBytes: number;
  readonly #chunkBytes: number;
  #trouble: 'missing' | 'unreadable' | undefined = 'missing';
  #file: string | undefined;
  /** The next byte to read, and where the line begins that it belongs to. */
  #position = 0;
  #lineStart = 0;
  /** The last bytes before each of the two. */
  #before = nothing;
  #tail = nothing;
  #line = new OpenLine();
  /** The bytes that the file held when we found it, or when we had read it after it began again. */
  #oldBytes: number | undefined;

  constructor(
    path: string,
    { maxLineBytes = longestLine, chunkBytes = usualChunk }: FollowOptions = {},
  ) {
    this.path = path;
    this.#maxLineBytes = maxLineBytes;
    this.#chunkBytes = chunkBytes;
  }

  /** Why the last call could not read; undefined when it could. What was read before stays true. */
  get trouble(): 'missing' | 'unreadable' | undefined {
    return this.#trouble;
  }

  /**
   * Only then does "not in it" mean anything (rule 41): the last call read the file to its end, it
   * was still that file at its path, and its last line is whole. Half a line, left by a process
   * that died as it wrote, may be the one that is looked for.
   */
  get isWhole(): boolean {
    return this.#trouble === undefined && this.#line.bytes === 0;
  }

  /** The line that was handed out last was written after we had found the file. */
  get isLineNew(): boolean {
    return this.#lineStart > (this.#oldBytes ?? 0);
  }

  async *readNew(): AsyncGenerator<Buffer | 'too-long' | 'begun-again'> {
    const handle = await this.#open();
    if (!handle) {
      if (this.#trouble === 'missing' && this.#file === undefined) this.#oldBytes = 0;
      return;
    }
    try {
      if (!(await this.#knows(handle))) {
        const isFirst = this.#position === 0 && this.#file === undefined;
        // The CLI may still be writing the earlier lines into a file that began again.
        if (!isFirst) this.#oldBytes = Number.POSITIVE_INFINITY;
        else this.#oldBytes ??= (await handle.stat()).size;
        this.#startOver();
        if (!isFirst) yield 'begun-again';
      }
      this.#file = nameFile(await handle.stat());
      yield* this.#readToEnd(handle);
      if (this.#oldBytes === Number.POSITIVE_INFINITY) this.#oldBytes = this.#lineStart;
    } catch (error) {
      // A bug of the reader's own is no trouble of the file's.
      if (codeOf(error) === undefined) throw error;
      this.#trouble = 'unreadable';
    } finally {
      // Where reading was stopped early, the rest of the chunk is read again.
      this.#position = this.#lineStart + this.#line.bytes;
      if (this.#line.bytes === 0) this.#before = this.#tail;
      await handle.close().catch(() => {
        // EIO and the like, of a disk that shows late what it could not do.
        this.#trouble = 'unreadable';
      });
    }
  }

  async #open(): Promise<FileHandle | undefined> {
    try {
      const handle = await openFile(this.path);
      this.#trouble = undefined;
      return handle;
    } catch (error) {
      this.#trouble = isMissing(error) ? 'missing' : 'unreadable';
      return undefined;
    }
  }

  /**
   * A read may give fewer bytes than there are, and the file may be replaced or grow meanwhile: its
   * path has the last word.
   */
  async *#readToEnd(handle: FileHandle): AsyncGenerator<Buffer | 'too-long'> {
    for (let round = 0; round < mostRounds; round++) {
      yield* this.#readOn(handle);
      const now = await findStats(this.path);
      if (!now || nameFile(now) !== this.#file || now.size < this.#position) break;
      if (now.size === this.#position) return;
    }
    this.#trouble = 'unreadable';
  }

  async *#readOn(handle: FileHandle): AsyncGenerator<Buffer | 'too-long'> {
    for (;;) {
      // Its own for each round: lines are handed out as parts of it.
      const space = Buffer.allocUnsafe(this.#chunkBytes);
      const { bytesRead } = await handle.read(space, 0, space.length, this.#position);
      if (bytesRead === 0) return;
      const chunk = space.subarray(0, bytesRead);
      const begin = this.#position;
      const before = this.#before;
      this.#position += bytesRead;
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        this.#line.add(chunk.subarray(start, end), this.#maxLineBytes);
        const line = this.#line.take(this.#maxLineBytes);
        start = end + 1;
        this.#lineStart = begin + start;
        this.#tail = lastOf(before, chunk.subarray(0, start));
        if (line !== undefined) yield line;
      }
      // A copy: it waits for its end, and would keep the whole chunk.
      this.#line.add(Buffer.from(chunk.subarray(start)), this.#maxLineBytes);
      this.#before = lastOf(before, chunk);
    }
  }

  /** The same file, and what was read last still stands before the place where reading goes on. */
  async #knows(handle: FileHandle): Promise<boolean> {
    if (this.#file === undefined) return false;
    const stats = await handle.stat();
    if (nameFile(stats) !== this.#file || stats.size < this.#position) return false;
    const found = Buffer.alloc(this.#tail.length);
    await handle.read(found, 0, found.length, this.#lineStart - found.length);
    return found.equals(this.#tail);
  }

  #startOver(): void {
    this.#position = 0;
    this.#lineStart = 0;
    this.#before = nothing;
    this.#tail = nothing;
    this.#line = new OpenLine();
  }
}

/**
 * One object, as far as that can be told without parsing it: megabytes of tools' output are most of
 * what is read.
 */
export function isRecord(line: Buffer): boolean {
  return line[0] === 0x7b && line.at(-1) === 0x7d && !joined.test(line.toString('latin1'));
}

/**
 * A record that a killed process left half-written, with the next one behind it. Quotes inside a
 * string are escaped, so that an object with a name in it begins nowhere but at the line's
 * beginning and after a colon, a comma or a bracket.
 */
const joined = /(?:[^:,[ ]|[^:,[] )\{"\w+":/;

/** One line that comes piece by piece. */
class OpenLine {
  #pieces: Buffer[] = [];
  /** Of all its pieces, also of those that were let go because it is too long. */
  bytes = 0;

  add(piece: Buffer, maxBytes: number): void {
    this.bytes += piece.length;
    if (this.bytes > maxBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  take(maxBytes: number): Buffer | 'too-long' | undefined {
    const isTooLong = this.bytes > maxBytes;
    const whole = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.bytes = 0;
    if (isTooLong) return 'too-long';
    return whole === undefined || whole.length === 0 ? undefined : whole;
  }
}

function lastOf(before: Buffer, read: Buffer): Buffer {
  const last = read.length < tailBytes ? Buffer.concat([before, read]) : read;
  return Buffer.from(last.subarray(-tailBytes));
}

function nameFile({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
