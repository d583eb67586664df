import { expect, test } from 'vitest';
import type { Holdings } from '../../bench/terminals/station.ts';
import { report } from './report.ts';

const memory = { heapUsed: 1e7 } as Holdings['memory'];
const held = { openFiles: 20, timers: 5, rssMb: 80, memory } as Holdings;
const facts = { agents: 2, turns: 10, first: held, beforeStop: held, last: held, seconds: 9 };

test('a soak whose turns all ended, in a daemon that holds no more than before, is good', () => {
  const score = { played: 20, seen: 20, lost: [] };
  expect(report({ ...facts, score }).isGood).toBe(true);
  const last = { ...held, timers: 9 };
  expect(report({ ...facts, score, last }).isGood).toBe(false);
});

test('a soak in which no turn was played has proven nothing', () => {
  const { isGood, text } = report({ ...facts, score: { played: 0, seen: 0, lost: [] } });
  expect(isGood).toBe(false);
  expect(text).toContain('nothing to judge: an end of a turn');
});
