import { randomFillSync } from 'node:crypto';

/**
 * Crockford's base 32 in lower case: no i, l, o, u, so that an id can be read aloud and its order
 * is its text order.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

let lastAt = 0;
let counter = 0;

/**
 * A new id: prefix, 48 bits of time, a counter within the millisecond, 70 random bits. The ids of
 * one process sort by creation, also when the wall clock is set back while it runs; order between
 * messages is the ledger's sequence all the same, never the id.
 */
export function createId(prefix: string, now: number): string {
  if (now > lastAt) [lastAt, counter] = [now, 0];
  else if (++counter === 1024) [lastAt, counter] = [lastAt + 1, 0];
  return `${prefix}_${encodeNumber(lastAt, 10)}${encodeNumber(counter, 2)}${encodeRandom(14)}`;
}

/** An unguessable text of 130 bits. */
export function createSecret(prefix: string): string {
  return `${prefix}_${encodeRandom(26)}`;
}

/**
 * The secret of one attempt, in 80 bits: long enough that nobody guesses it, and short, since a
 * model reads it with every message.
 */
export function createMark(): string {
  return `mark_${encodeRandom(16)}`;
}

function encodeNumber(value: number, digits: number): string {
  let text = '';
  for (let rest = value, i = 0; i < digits; i++) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Random bytes drawn ahead: one call into the kernel for a hundred ids. */
const pool = Buffer.allocUnsafe(2048);
let used = pool.length;

function encodeRandom(length: number): string {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let text = '';
  for (const end = used + length; used < end; used++) {
    text += alphabet.charAt((pool[used] ?? 0) & 31);
  }
  return text;
}
