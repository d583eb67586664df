import { systemClock } from '../../shared/clock.ts';

/** Where raw output goes; resolves when the terminal has taken it. */
export type Print = (bytes: Buffer) => Promise<void>;

/**
 * 80 bytes: tmux 3.3a takes 24 MB/s of such lines and 3 MB/s of the single letters that yes(1)
 * prints.
 */
const floodLine = `${'yes '.repeat(20).trim()}\n`;
/** A whole number of such lines. */
const chunkBytes = 800 * floodLine.length;
/** How often a flood at a given rate writes: often enough to look steady. */
const beatMs = 20;

/** The same line again and again, until that many bytes are out or the signal comes. */
export async function flood(
  print: Print,
  { bytes, perSecond }: { readonly bytes: number; readonly perSecond: number },
  signal: AbortSignal,
): Promise<void> {
  const chunk = Buffer.alloc(chunkBytes, floodLine);
  const isPaced = Number.isFinite(perSecond);
  const each = isPaced ? Math.max(1, Math.round((perSecond * beatMs) / 1000)) : chunkBytes;
  for (let left = bytes; left > 0; ) {
    signal.throwIfAborted();
    const size = Math.min(each, left, chunkBytes);
    await print(chunk.subarray(0, size));
    left -= size;
    // A terminal takes writes synchronously: without a turn of the loop no key would ever be read.
    await (isPaced ? systemClock.sleep(beatMs, signal) : nextTurn());
  }
}

/** The same bytes in every run, all 256 of them, escape sequences and broken UTF-8 included. */
export async function garbage(print: Print, bytes: number, signal: AbortSignal): Promise<void> {
  // Numerical Recipes' generator; the high bits are the good ones.
  let seed = 1;
  for (let left = bytes; left > 0; left -= chunkBytes) {
    signal.throwIfAborted();
    const chunk = Buffer.alloc(Math.min(left, chunkBytes));
    for (let index = 0; index < chunk.length; index++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      chunk[index] = seed >>> 24;
    }
    await print(chunk);
    await nextTurn();
  }
}

/** That many letters, and no new line among them. */
export async function longLine(print: Print, bytes: number, signal: AbortSignal): Promise<void> {
  const chunk = Buffer.alloc(chunkBytes, 'abcdefghijklmnopqrstuvwxyz');
  for (let left = bytes; left > 0; left -= chunkBytes) {
    signal.throwIfAborted();
    await print(chunk.subarray(0, Math.min(left, chunkBytes)));
    await nextTurn();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
