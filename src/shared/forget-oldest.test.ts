import { expect, test } from 'vitest';
import { forgetOldest } from './forget-oldest.ts';

test('the newest stay, in maps and in sets', () => {
  const map = new Map([1, 2, 3, 4].map((n) => [n, n]));
  forgetOldest(map, 2);
  expect([...map.keys()]).toEqual([3, 4]);
  const set = new Set(['a', 'b']);
  forgetOldest(set, 2);
  forgetOldest(set, 1);
  expect([...set]).toEqual(['b']);
});
