import { expect, test } from 'vitest';
import type { InterruptionView } from '../protocol/interrupt.ts';
import { describeInterruption } from './describe-interruption.ts';

const one: InterruptionView = {
  ...{ outcome: 'ended', way: 'keys', presses: 1, place: 'terminal' },
  ...{ who: 'ada at /dev/pts/3', at: '2026-11-19T10:00:00.000Z' },
};

test.each<[Partial<InterruptionView>, string]>([
  [{}, 'the user (ada at /dev/pts/3) ended its turn, by Esc, once'],
  [{ presses: 2 }, 'the user (ada at /dev/pts/3) ended its turn, by Esc, twice'],
  [
    { way: 'api', presses: 0 },
    'the user (ada at /dev/pts/3) ended its turn, by the API of its CLI',
  ],
  [
    { outcome: 'unproven' },
    'the user (ada at /dev/pts/3) told it to stop, by Esc, once; nothing showed in time that its turn ended',
  ],
  [
    { outcome: 'refused', presses: 0, reason: 'it is at rest' },
    'the user (ada at /dev/pts/3) wanted to end its turn, and nothing was pressed: it is at rest',
  ],
  [
    { outcome: 'unknown', presses: 0, reason: 'the daemon ended before it was known' },
    'the user (ada at /dev/pts/3) wanted to end its turn; the daemon ended before it was known',
  ],
  [{ outcome: 'pressing' }, 'the user (ada at /dev/pts/3) ends its turn at this moment'],
])('rule 54: each outcome is one sentence: %j', (more, says) => {
  expect(describeInterruption({ ...one, ...more })).toBe(says);
});

test('an agent, which does not see the account, reads from where it came', () => {
  const { who: _, ...rest } = one;
  expect(describeInterruption(rest)).toBe(
    'the user (from a terminal) ended its turn, by Esc, once',
  );
});
