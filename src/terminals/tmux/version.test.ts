import { expect, test } from 'vitest';
import { isTooOld, pastesRaw, speaksAlike } from './version.ts';

test.each(['3.3', '3.3a', '3.4', '3.8', '3.10', '4.0', 'next-3.7', 'master', 'openbsd-7.4'])(
  'tmux %s can be used',
  (version) => expect(isTooOld(version)).toBe(false),
);

test.each(['3.2a', '3.2', '2.9', '1.8', 'next-3.2', ''])('tmux "%s" is too old', (version) =>
  expect(isTooOld(version)).toBe(true),
);

test.each([
  ['3.3a', true],
  ['3.6a', true],
  ['3.7', false],
  ['3.10', false],
  ['4.0', false],
  ['next-3.7', false],
  ['master', false],
])('whether %s pastes what lies in a buffer: %s', (version, isRaw) => {
  expect(pastesRaw(version)).toBe(isRaw);
});

test.each([
  ['3.3a', '3.5a', true],
  ['3.6a', '3.7c', true],
  ['3.6a', 'next-3.8', true],
  ['3.5a', '3.6a', false],
  ['3.7c', '3.3a', false],
  ['3.4', 'next-3.8', false],
])('whether %s and %s understand each other: %s', (one, other, isSo) => {
  expect(speaksAlike(one, other)).toBe(isSo);
  expect(speaksAlike(other, one)).toBe(isSo);
});
