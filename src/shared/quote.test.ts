import { expect, test } from 'vitest';
import { Fault } from './fault.ts';
import { bound, quote } from './quote.ts';

test('what is quoted is bounded, and nothing in it acts on a terminal', () => {
  expect(quote('lead')).toBe('"lead"');
  expect(quote('a"b\n\u001b[2J\u009b\u202e')).toBe('"a\\"b\\n\\u001b[2J\\u009b\\u202e"');
  expect(quote('x'.repeat(1e6))).toBe(`"${'x'.repeat(80)}…"`);
  // Cut in the middle of a character.
  expect(quote(`${'x'.repeat(79)}😀😀`)).toBe(`"${'x'.repeat(79)}\\ud83d…"`);
  expect(bound('a\tb\n\u0007', 100)).toBe('a\tb\n<U+0007>');
});

test('rule 47: whatever a fault quotes, its sentences are bounded and visible', () => {
  const { message, next } = new Fault('invalid-input', `No ${'y'.repeat(1e6)}`, '\u001b]0;x\u0007');
  expect(message).toHaveLength('… (cut)'.length + 4000);
  expect(next).toBe('<U+001B>]0;x<U+0007>');
});
