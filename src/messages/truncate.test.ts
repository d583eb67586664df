import { expect, test } from 'vitest';
import { truncate } from './truncate.ts';

test('a text is cut on a character, never inside one', () => {
  expect(truncate('abc', 3)).toEqual({ text: 'abc', truncated: false });
  expect(truncate('aé', 2)).toEqual({ text: 'a', truncated: true });
  expect(truncate('😀😀', 7)).toEqual({ text: '😀', truncated: true });
  expect(truncate('😀', 1)).toEqual({ text: '', truncated: true });
});
