import { expect, test } from 'vitest';
import { Pauses } from './pauses.ts';

let nowMs = 0;
const clock = (): number => nowMs;

function take(pauses: Pauses, times: number): readonly number[] {
  return Array.from({ length: times }, () => {
    const pauseMs = pauses.next();
    nowMs += pauseMs;
    return pauseMs;
  });
}

test('rule 10: a server that starts is asked every second, so that nothing waits long once it is up', () => {
  const pauses = new Pauses(clock);
  expect(take(pauses, 5)).toEqual([250, 500, 1000, 1000, 1000]);
});

test('rule 53: one that never came, and one that went away, are asked every 10 s in the end', () => {
  const late = new Pauses(clock);
  nowMs += 60_000;
  expect(take(late, 8).slice(-2)).toEqual([10_000, 10_000]);
  const gone = new Pauses(clock);
  gone.succeed();
  expect(take(gone, 8)).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test('a sign of life begins anew', () => {
  const pauses = new Pauses(clock);
  pauses.succeed();
  take(pauses, 4);
  expect(pauses.isShort).toBe(false);
  pauses.beginAnew();
  expect(pauses.isShort).toBe(true);
  expect(take(pauses, 1)).toEqual([250]);
});
