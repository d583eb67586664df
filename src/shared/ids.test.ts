import { expect, test } from 'vitest';
import { createId, createSecret } from './ids.ts';

test('ids of one process sort by creation, also in one millisecond and when the clock is set back', () => {
  const ids: string[] = [];
  for (let i = 0; i < 3000; i++) ids.push(createId('msg', 1_800_000_000_000));
  for (let i = 0; i < 10; i++) ids.push(createId('msg', 1_700_000_000_000));
  for (let i = 0; i < 10; i++) ids.push(createId('msg', 1_900_000_000_000 + i));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toMatch(/^msg_[0-9a-hjkmnp-tv-z]{26}$/);
});

test('secrets do not repeat', () => {
  const secrets = Array.from({ length: 1000 }, () => createSecret('mark'));
  expect(new Set(secrets).size).toBe(1000);
  expect(secrets[0]).toMatch(/^mark_[0-9a-z]{26}$/);
});
