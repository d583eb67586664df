import { createHash } from 'node:crypto';

/**
 * The id that a message of ours has in OpenCode: always the same for one attempt, so that it can be
 * looked up whoever sent it. OpenCode's own ids begin with 48 bits of time, and its terminal shows
 * messages in the order of their ids (1.18.33); ours begin with the wall time of the claim. The
 * rest tells nothing about the mark's secret.
 */
export function deriveMessageId({
  mark,
  at,
}: {
  readonly mark: string;
  readonly at: number;
}): string {
  const time = BigInt.asUintN(48, BigInt(Math.trunc(readTime(mark) ?? at)) * 0x1000n);
  return `msg_${time.toString(16).padStart(12, '0')}${derivePart(mark)}`;
}

/** Whether a message has the id of an attempt with this mark, whenever that was. */
export function isIdOf(id: string, mark: string): boolean {
  return id.startsWith('msg_') && id.slice(16) === derivePart(mark);
}

function derivePart(mark: string): string {
  const digest = createHash('sha256').update(mark).digest();
  return Array.from(digest.subarray(0, 14), (byte) => alphabet.charAt(byte & 31)).join('');
}

/**
 * Marks of older versions are an id and a secret, and have the time in the id: milliseconds since
 * 1970 in ten digits of base 32.
 */
function readTime(mark: string): number | undefined {
  const [, digits] = /^mark_([0-9a-hjkmnp-tv-z]{10})\w*_/.exec(mark) ?? [];
  if (digits === undefined) return undefined;
  return [...digits].reduce((sum, digit) => sum * 32 + alphabet.indexOf(digit), 0);
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
