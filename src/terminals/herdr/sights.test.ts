import { expect, test } from 'vitest';
import { joinScreen } from './screen.ts';
import { Missing } from './sights.ts';

test('B7, B10: gone is what two looks at least two seconds apart have missed, without a sight between', () => {
  const missing = new Missing();
  expect(missing.isGone('t', false, 1000)).toBe(false);
  expect(missing.isGone('t', false, 2900)).toBe(false);
  expect(missing.isGone('t', true, 2950)).toBe(false);
  expect(missing.isGone('t', false, 3100)).toBe(false);
  expect(missing.isGone('t', false, 5000)).toBe(false);
  expect(missing.isGone('t', false, 5100)).toBe(true);
});

test('B10: a time in which herdr could not be asked counts for nothing', () => {
  const missing = new Missing();
  missing.isGone('t', false, 1000);
  expect(missing.hasDoubts).toBe(true);
  missing.forget();
  expect(missing.hasDoubts).toBe(false);
  expect(missing.isGone('t', false, 9000)).toBe(false);
});

test.each([
  ['one\ntwo', 'one\ntwo', 'one\ntwo'],
  ['old\na long line', 'a long\nline', 'old\na long line'],
  ['old', 'new', 'old\nnew'],
  ['', 'screen', 'screen'],
  ['all', '', 'all'],
])('scrollback %j and screen %j are %j', (recent, visible, whole) => {
  expect(joinScreen(recent, visible)).toBe(whole);
});

test('one that was closed while it was missing is in doubt no more', () => {
  const missing = new Missing();
  missing.isGone('closed', false, 1000);
  missing.isGone('noted', false, 1000);
  missing.keep(new Set(['noted']));
  expect(missing.isGone('noted', false, 9000)).toBe(true);
  missing.forget('noted');
  expect(missing.hasDoubts).toBe(false);
});

test('a host that lives is waited for, but not for ever, before an end without a code is told', () => {
  const missing = new Missing();
  expect(missing.isAwaited('t', true, 1000)).toBe(true);
  expect(missing.hasDoubts).toBe(true);
  expect(missing.isAwaited('t', true, 15_900)).toBe(true);
  expect(missing.isAwaited('t', true, 16_000)).toBe(false);
  expect(missing.hasDoubts).toBe(false);
  expect(missing.isAwaited('t', false, 16_100)).toBe(false);
  expect(missing.hasDoubts).toBe(false);
  expect(missing.isAwaited('t', true, 20_000)).toBe(true);
});
