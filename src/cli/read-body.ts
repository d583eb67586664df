import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { Fault } from '../shared/fault.ts';
import { reportBug } from '../shared/report-bug.ts';
import { formatSize } from '../shared/units.ts';

/**
 * More than the largest limit that can be configured: what is longer is refused without being read
 * to its end.
 */
const readAtMost = 64 * 1024 * 1024 + 1;

/**
 * The text of a message from the command line, a file or standard input, refused unless it is valid
 * UTF-8. Standard input is read unasked only where a shell has put something there, a pipe or a
 * file: nobody is kept waiting at a terminal, nor by a program that leaves its end open.
 */
export async function readBody(
  words: readonly string[],
  file: string | undefined,
): Promise<string> {
  if (file !== undefined) {
    return decode(readBytes(file, readAtMost), file === '-' ? 'Standard input' : file);
  }
  if (words.length > 0) return words.join(' ');
  const piped = isPiped() ? decode(readBytes('-', readAtMost), 'Standard input') : '';
  if (piped !== '') return piped;
  throw new Fault(
    'usage',
    'There is no text to send.',
    'Give a text, pipe one in, or name a file with --file.',
  );
}

function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile();
  } catch (error) {
    // There is no standard input.
    reportBug('looking at standard input', error);
    return false;
  }
}

/**
 * Any other text from a file or standard input (`-`), bounded and refused unless it is valid UTF-8.
 */
export function readText(file: string, largest: number): string {
  return decode(readBytes(file, largest + 1), file === '-' ? 'Standard input' : file);
}

/**
 * Node replaces invalid bytes of an argument silently, so that two different keys or texts become
 * one; the kernel still has the originals.
 */
export function refuseInvalidArguments(args: readonly string[]): void {
  if (process.platform !== 'linux' || !args.some((arg) => arg.includes('\ufffd'))) return;
  decode(readFileSync('/proc/self/cmdline'), 'The command line');
}

function readBytes(file: string, limit: number): Buffer {
  try {
    const fd = file === '-' ? 0 : openSync(file, 'r');
    try {
      if (fstatSync(fd).isDirectory()) throw new Error('it is a folder');
      return readUpTo(fd, limit);
    } finally {
      if (fd !== 0) closeSync(fd);
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault(
      'invalid-input',
      `signalbox cannot read ${file}: ${why}.`,
      'Name a readable file.',
    );
  }
}

function readUpTo(fd: number, limit: number): Buffer {
  const chunks: Buffer[] = [];
  for (let total = 0; ; ) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const read = readChunk(fd, chunk);
    if (read === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, read));
    total += read;
    if (total < limit) continue;
    throw new Fault(
      'body-too-large',
      `The text has more than ${formatSize(limit - 1)}. Nothing was done.`,
      'No limit can be that large: send less, or send the path of a file.',
    );
  }
}

/** Standard input may be a terminal or pipe that another process made non-blocking. */
function readChunk(fd: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(fd, chunk, 0, chunk.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function decode(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Fault(
      'invalid-input',
      `${what} is not valid UTF-8. Nothing was done.`,
      'Convert it (iconv), or send the path of a file.',
    );
  }
}
