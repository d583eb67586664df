import { expect, test } from 'vitest';
import type { Holdings } from '../../../bench/terminals/station.ts';
import { type Sample, tabulate } from './report.ts';

test('a heap that stands still is good, and one that grows is not', () => {
  expect(tabulate([at(0, 1e6), at(500, 1e6), at(1000, 1e6)])).toMatchObject({ isGood: true });
  expect(tabulate([at(0, 1e6), at(500, 1.1e6), at(1000, 1.2e6)])).toMatchObject({ isGood: false });
});

test('a soak in which no agent came and went has measured nothing', () => {
  const { isGood, text } = tabulate([at(0, 1e6)]);
  expect(isGood).toBe(false);
  expect(text).toContain('nothing to judge: an agent that came and went');
  expect(text).toContain('nothing to judge: a look after another');
});

function at(agents: number, heapUsed: number): Sample {
  const memory = { heapUsed, external: 0, arrayBuffers: 0 } as Holdings['memory'];
  return { agents, held: { memory, openFiles: 1, timers: 1, rssMb: 1 } as Holdings };
}
