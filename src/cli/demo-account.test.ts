import { beforeEach, expect, test, vi } from 'vitest';
import { isProven } from '../demo/demo.ts';
import { victims } from '../demo/moment.ts';
import type { DemoOutcome } from '../protocol/demo.ts';
import { describeOutcome } from './demo-account.ts';

beforeEach(() => void vi.stubEnv('NO_COLOR', '1'));

const sound: DemoOutcome = {
  account: { accepted: 9, settled: 9, lost: 0, doubled: 0, misplaced: 0 },
  recoveries: victims.map((killed) => ({ killed, outcome: 'recovered', how: 'well', ms: 1234 })),
  repeats: 2,
  resent: 1,
  problems: [],
  seconds: 20,
};

test('a sound run names every kill with its time', () => {
  expect(isProven(sound)).toBe(true);
  const text = describeOutcome(sound, 100);
  expect(text.match(/kill -9 .* recovered in 1\.2 s {2}well/g)).toHaveLength(victims.length);
  expect(text).toContain('counted from what the programs received');
  expect(text).not.toContain('End it:');
});

test('a run proves nothing when a kill was not recovered, or not reached, or something else went wrong', () => {
  const [first] = sound.recoveries;
  if (!first) throw new Error('there are two');
  const failed = { ...first, outcome: 'failed', how: 'nobody came' } as const;
  const cut = { ...sound, recoveries: [failed] };
  expect(isProven(cut)).toBe(false);
  const text = describeOutcome(cut, 100);
  expect(text).toMatch(/kill -9 worker +not recovered +nobody came/);
  expect(text.match(/was not reached/g)).toHaveLength(1);
  expect(text).toContain('Something is wrong: nobody came.');
  expect(isProven({ ...sound, problems: ['it rains'] })).toBe(false);
});

test('a run proves nothing when a message is lost, doubled, misplaced or still open', () => {
  const flaws = [{ lost: 1 }, { doubled: 1 }, { misplaced: 1 }, { settled: 8 }];
  for (const flaw of flaws) {
    const outcome = { ...sound, account: { ...sound.account, ...flaw } };
    expect(isProven(outcome)).toBe(false);
    expect(describeOutcome(outcome, 100)).toContain('The promise was broken');
  }
});

test('what is kept comes with the words that end it', () => {
  const text = describeOutcome({ ...sound, home: '/tmp/kept' }, 100);
  expect(text).toMatch(/SIGNALBOX_HOME=\/tmp\/kept \S.* stop --session demo/);
  expect(text).toContain('rm -r /tmp/kept');
});

test.each([50, 60, 79, 80, 119])('the account is at most %i columns wide', (columns) => {
  const how = 'another was started and found all of them; the handoff, called again, was one task';
  const recoveries = sound.recoveries.map((recovery) => ({ ...recovery, how }));
  for (const line of describeOutcome({ ...sound, recoveries }, columns).split('\n')) {
    expect(line.length).toBeLessThanOrEqual(columns);
  }
});
