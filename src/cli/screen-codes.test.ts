import { expect, test } from 'vitest';
import { wantsColour } from './screen-codes.ts';

test.each([
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR', { NO_COLOR: '' }, true, true],
  ['a terminal without colours', { TERM: 'dumb' }, true, false],
  ['FORCE_COLOR into a pipe', { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR in such a terminal', { FORCE_COLOR: '3', TERM: 'dumb' }, true, true],
  ['FORCE_COLOR that says no', { FORCE_COLOR: '0' }, true, false],
  ['both', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
])('colours follow the variables that people set: %s', (_what, env, isTerminal, isColoured) => {
  expect(wantsColour(env, () => isTerminal)).toBe(isColoured);
});
