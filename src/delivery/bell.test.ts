import { expect, test } from 'vitest';
import { systemClock } from '../shared/clock.ts';
import { Bell } from './bell.ts';

const settled = async (promise: Promise<void>): Promise<boolean> => {
  let isOver = false;
  void promise.then(() => {
    isOver = true;
  });
  for (let turns = 0; turns < 10; turns++) await Promise.resolve();
  return isOver;
};

test('D1: rung while nobody sleeps, the next sleep is none; stilled, it sleeps until the next ring', async () => {
  const bell = new Bell(systemClock);
  expect(await settled(bell.heard(undefined))).toBe(true);
  bell.still();
  const sleep = bell.heard(undefined);
  expect(await settled(sleep)).toBe(false);
  bell.ring();
  bell.ring();
  expect(await settled(sleep)).toBe(true);
  // Both rings are one answer.
  bell.still();
  expect(await settled(bell.heard(undefined))).toBe(false);
});

test('time alone wakes it too', async () => {
  const bell = new Bell({ ...systemClock, sleep: async () => undefined });
  bell.still();
  expect(await settled(bell.heard(1000))).toBe(true);
});
