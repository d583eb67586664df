import { expect, test } from 'vitest';
import { describeTrials, type VersionTrial } from './version-trials.ts';

const whole: VersionTrial = {
  cli: 'codex',
  version: '0.160.0',
  day: '2026-11-18',
  outcomes: { launch: { kind: 'passed' }, idle: { kind: 'passed' } },
};
const half: VersionTrial = {
  ...whole,
  version: '0.140.0',
  outcomes: {
    launch: { kind: 'passed' },
    idle: { kind: 'spared', reason: 'nothing wakes it' },
    esc: { kind: 'failed', reason: 'it is late' },
  },
};
const other: VersionTrial = { ...whole, cli: 'kimi', version: '2.0.2' };
const rows = [whole, half, other];

test('E11: each tried version of a CLI has what held, and what did not with its reason', () => {
  expect(describeTrials('codex', rows)).toEqual([
    { version: '0.160.0', day: '2026-11-18', held: 2, cases: 2, notHeld: {} },
    {
      version: '0.140.0',
      day: '2026-11-18',
      held: 1,
      cases: 3,
      notHeld: { idle: 'nothing wakes it', esc: 'it is late' },
    },
  ]);
  expect(describeTrials('gemini', rows)).toEqual([]);
});
