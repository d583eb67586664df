import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { formatSize } from './units.ts';

export interface ReadOnce {
  /** Where the bytes came from, with every link followed. */
  readonly realPath: string;
  readonly bytes: Buffer;
  /** Of the very file that the bytes came from. */
  readonly entry: Stats;
}

/**
 * Reads a whole file through one opening of it: whatever is judged by these bytes must also be done
 * with these bytes, and not with what stands under that name a moment later. Throws an Error that
 * says why it cannot be read.
 */
export function readOnce(path: string, mostBytes: number): ReadOnce {
  const realPath = realpathSync(path);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Opening a pipe that nobody writes to would stop everything.
  const file = openSync(realPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const entry = fstatSync(file);
    if (!entry.isFile()) throw new Error('it is not a file');
    // One byte more than allowed: the file may grow while it is read.
    const bytes = Buffer.alloc(mostBytes + 1);
    let length = 0;
    for (let got = 1; got > 0 && length < bytes.length; length += got) {
      got = readSync(file, bytes, length, bytes.length - length, null);
    }
    if (length > mostBytes) throw new Error(`it has more than ${formatSize(mostBytes)}`);
    return { realPath, bytes: bytes.subarray(0, length), entry };
  } finally {
    closeSync(file);
  }
}
