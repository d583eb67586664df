import { expect, test } from 'vitest';
import { Armed, settleMs } from './armed.ts';
import { keepSteady } from './steady.ts';

const rows = (...texts: readonly string[]) => texts.map((text) => ({ id: text[0] ?? '', text }));

test('a list that nobody touches is shown as it is', () => {
  expect(keepSteady(rows('a', 'b'), undefined)).toEqual({
    shown: rows('a', 'b').map((item) => ({ item, isGone: false })),
    pending: 0,
  });
});

test('under a pointer rows keep their places, are told anew there, and new ones wait', () => {
  const { shown, pending } = keepSteady(rows('new', 'b2', 'a2'), rows('a', 'b', 'c'));
  expect(shown.map(({ item, isGone }) => [item.text, isGone])).toEqual([
    ['a2', false],
    ['b2', false],
    ['c', true],
  ]);
  expect(pending).toBe(1);
});

test('a control does nothing within a second of its appearance, its move or its change', () => {
  const armed = new Armed();
  expect(armed.isArmed(0)).toBe(false);
  armed.show('run ls? at 3', 5000);
  expect(armed.isArmed(5000 + settleMs - 1)).toBe(false);
  expect(armed.restMs(5400)).toBe(600);
  armed.show('run ls? at 3', 5900);
  expect(armed.isArmed(5000 + settleMs)).toBe(true);
  armed.show('run rm? at 3', 7000);
  expect(armed.isArmed(7999)).toBe(false);
  expect(armed.isArmed(8000)).toBe(true);
  expect(armed.restMs(9000)).toBe(0);
});
