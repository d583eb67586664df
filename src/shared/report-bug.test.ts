import { expect, test } from 'vitest';
import { Fault } from './fault.ts';
import { type CaughtBug, keepBugs, OutsideFailure, reportBug } from './report-bug.ts';

test('a mistake of ours is told the first time, and again ever more seldom, each place by itself', () => {
  const told: string[] = [];
  const end = keepBugs(({ place, times }) => told.push(`${place} ${times}`));
  for (let i = 0; i < 20; i++) reportBug('a fold', new TypeError('x is not a function'));
  reportBug('a look', 'thrown as text');
  expect(told).toEqual(['a fold 1', 'a fold 2', 'a fold 4', 'a fold 8', 'a fold 16', 'a look 1']);
  end();
});

test('what may fail is no mistake: the system, a fault, an ended wait, a lost connection', () => {
  const told: CaughtBug[] = [];
  const end = keepBugs((bug) => told.push(bug));
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  reportBug('p', refused);
  reportBug('p', new TypeError('fetch failed', { cause: refused }));
  reportBug('p', new Fault('timed-out', 'late', 'wait'));
  reportBug('p', new OutsideFailure('the app-server is gone'));
  reportBug('p', AbortSignal.abort().reason);
  reportBug('p', Object.assign(new Error('closed'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
  expect(told).toEqual([]);
  reportBug('p', Object.assign(new TypeError('bad'), { code: 'ERR_INVALID_ARG_TYPE' }));
  expect(told).toHaveLength(1);
  end();
});
