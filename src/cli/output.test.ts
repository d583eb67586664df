import { expect, test } from 'vitest';
import { fold } from './output.ts';

test('a text is folded between its words, and a word that is too long stays whole', () => {
  expect(fold('it is not woken while it is at rest', 12)).toEqual([
    'it is not',
    'woken while',
    'it is at',
    'rest',
  ]);
  expect(fold('see /a/very/long/path there', 10)).toEqual(['see', '/a/very/long/path', 'there']);
  expect(fold('', 10)).toEqual(['']);
});
