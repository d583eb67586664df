import { expect, test } from 'vitest';
import { deriveMessageId } from './message-id.ts';

test('one mark has one id, whoever asks, and another mark another', () => {
  const mark = markAt(1_794_758_224_000);
  expect(deriveMessageId(mark)).toBe(deriveMessageId(mark));
  expect(deriveMessageId(mark)).toMatch(/^msg_[0-9a-f]{12}[0-9a-z]{14}$/);
  expect(deriveMessageId(`${mark}x`)).not.toBe(deriveMessageId(mark));
});

test('ids follow the time of their marks, beside those that OpenCode makes itself', () => {
  const at = 1_894_758_224_607;
  const ours = deriveMessageId(markAt(at));
  const later = deriveMessageId(markAt(at + 1));
  // As OpenCode 1.18.33 counts: milliseconds times 4096, the lower 48 bits.
  const theirs = BigInt.asUintN(48, BigInt(at) * 4096n)
    .toString(16)
    .padStart(12, '0');
  expect(ours.startsWith(`msg_${theirs}`)).toBe(true);
  expect(later > ours).toBe(true);
});

test('a mark without a time has an id all the same', () => {
  expect(deriveMessageId('mark_x')).toMatch(/^msg_0{12}[0-9a-z]{14}$/);
});

/** As `createId` makes it, which never goes back behind the latest time that it was given. */
function markAt(now: number): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const digits = Array.from({ length: 10 }, (_, i) =>
    alphabet.charAt(Math.floor(now / 32 ** (9 - i)) % 32),
  );
  return `mark_${digits.join('')}00abcdefghjkmnpq_secret`;
}
