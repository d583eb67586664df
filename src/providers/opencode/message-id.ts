import { createHash } from 'node:crypto';

/**
 * The id that a message of ours has in OpenCode: always the same for one mark, so that it can be
 * looked up whoever sent it. OpenCode's own ids begin with 48 bits of time, and its terminal shows
 * messages in the order of their ids (1.18.33); ours begin with the time that stands in the mark.
 * The rest tells nothing about the mark's secret.
 */
export function deriveMessageId(mark: string): string {
  const digest = createHash('sha256').update(mark).digest();
  const rest = Array.from(digest.subarray(0, 14), (byte) => alphabet.charAt(byte & 31)).join('');
  const time = BigInt.asUintN(48, BigInt(readTime(mark) ?? 0) * 0x1000n);
  return `msg_${time.toString(16).padStart(12, '0')}${rest}`;
}

/** Milliseconds since 1970 in ten digits of base 32, as in every id of ours. */
function readTime(mark: string): number | undefined {
  const [, digits] = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})/.exec(mark) ?? [];
  if (digits === undefined) return undefined;
  return [...digits].reduce((sum, digit) => sum * 32 + alphabet.indexOf(digit), 0);
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
