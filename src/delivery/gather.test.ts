import { expect, test } from 'vitest';
import { Gathering } from './gather.ts';

test('rule 21: answers are waited for until none came for 40 ms', () => {
  const gathering = new Gathering();
  expect(gathering.waitMs(1, 1000)).toBe(40);
  expect(gathering.waitMs(1, 1030)).toBe(10);
  expect(gathering.waitMs(4, 1035)).toBe(40);
  expect(gathering.waitMs(4, 1075)).toBe(0);
  // The next ones begin anew.
  expect(gathering.waitMs(1, 1080)).toBe(40);
});

test('rule 21: no answer waits for others longer than 200 ms, however they trickle in', () => {
  const gathering = new Gathering();
  for (let n = 1; n <= 6; n++) expect(gathering.waitMs(n, 970 + n * 30)).toBeGreaterThan(0);
  expect(gathering.waitMs(7, 1180)).toBe(20);
  expect(gathering.waitMs(8, 1200)).toBe(0);
});

test('rule 21: the last answer, and whatever is no answer, waits for nothing', () => {
  const gathering = new Gathering();
  expect(gathering.waitMs(undefined, 1000)).toBe(0);
  expect(gathering.waitMs(19, 1000)).toBe(40);
  expect(gathering.waitMs(undefined, 1010)).toBe(0);
  expect(gathering.waitMs(1, 1020)).toBe(40);
});
