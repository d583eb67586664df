import { expect, test } from 'vitest';
import { deriveMessageId, isIdOf } from './message-id.ts';

const mark = 'mark_0123456789abcdef';

test('one mark has one id, whoever asks, and another mark another', () => {
  const at = 1_794_758_224_000;
  const id = deriveMessageId({ mark, at });
  expect(id).toBe(deriveMessageId({ mark, at }));
  expect(id).toMatch(/^msg_[0-9a-f]{12}[0-9a-z]{14}$/);
  expect(deriveMessageId({ mark: `${mark}x`, at })).not.toBe(id);
});

test.each([
  ['of the claim', (at: number) => deriveMessageId({ mark, at })],
  ['in a mark of an older version', (at: number) => deriveMessageId({ mark: markAt(at), at: 5 })],
])('ids follow the time %s, beside those that OpenCode makes itself', (_, derive) => {
  const at = 1_894_758_224_607;
  // As OpenCode 1.18.33 counts: milliseconds times 4096, the lower 48 bits.
  const theirs = BigInt.asUintN(48, BigInt(at) * 4096n)
    .toString(16)
    .padStart(12, '0');
  expect(derive(at).startsWith(`msg_${theirs}`)).toBe(true);
  expect(derive(at + 1) > derive(at)).toBe(true);
});

test('rule 7: an id is known by its mark, whenever its attempt was, and by no other', () => {
  for (const own of [mark, markAt(1_894_758_224_607)]) {
    expect(isIdOf(deriveMessageId({ mark: own, at: 77 }), own)).toBe(true);
    expect(isIdOf(deriveMessageId({ mark: own, at: 77 }), `${own}x`)).toBe(false);
  }
  expect(isIdOf('msg_', mark)).toBe(false);
});

/** As older versions made it. */
function markAt(now: number): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const digits = Array.from({ length: 10 }, (_, i) =>
    alphabet.charAt(Math.floor(now / 32 ** (9 - i)) % 32),
  );
  return `mark_${digits.join('')}00abcdefghjkmnpq_secret`;
}
