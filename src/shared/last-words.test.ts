import { expect, test } from 'vitest';
import { lastWords } from './last-words.ts';

test('the end of a screen on one line; nothing in it acts on the terminal of whoever reads it (rule 47)', () => {
  const screen = 'old\n\n1\n2\n  \u001b[31mNo saved session\u0007 found\u202e\n\n  Try again\n\n\n';
  expect(lastWords(screen)).toBe('1 · 2 · [31mNo saved session  found · Try again');
  expect(lastWords('x'.repeat(1000)).length).toBe(400);
  expect(lastWords(undefined)).toBe('');
});
