import { expect, test } from 'vitest';
import { findRest } from './rests-by-choice.ts';

test.each([
  ['that is open', {}, undefined],
  ['whose terminal went with the machine', { endCause: 'terminal-gone' }, undefined],
  ['that a signal ended', { endCause: 'exit', exitSignal: 'SIGTERM' }, undefined],
  ['that failed', { endCause: 'exit', exitCode: 1 }, undefined],
  ['whose program ended by SIGHUP, told as a code', { endCause: 'exit', exitCode: 129 }, undefined],
  ['whose launch was cut off', { endCause: 'launch-failed' }, undefined],
  ['whose restart was cut off', { endCause: 'restarted' }, undefined],
  ['that was stopped', { endCause: 'stopped', exitSignal: 'SIGTERM' }, 'it was stopped'],
  ['that ended with code 0', { endCause: 'exit', exitCode: 0 }, 'it had ended by itself'],
])('restart --all judges a life %s', (_what, end, rest) => {
  const endedAt = 'endCause' in end ? { endedAt: 1 } : {};
  expect(findRest({ ...endedAt, ...end })).toBe(rest);
});

test('restart --all starts no agent that has never run', () => {
  expect(findRest(undefined)).toBe('it has never run');
});
