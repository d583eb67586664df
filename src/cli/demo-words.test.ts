import { beforeEach, expect, test, vi } from 'vitest';
import { describeEvent } from './demo-words.ts';

beforeEach(() => void vi.stubEnv('NO_COLOR', '1'));

test('what does not fit stands below its own beginning, and no line is wider than the terminal', () => {
  const text = `← worker-1: ${'word '.repeat(30)}`.trim();
  const lines = describeEvent({ what: 'told', agent: 'user', text }, 1234, 60);
  expect(lines[0]).toMatch(/^ {4}1\.2s {3}you {9}← worker-1: word /);
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  expect(lines[1]).toMatch(/^ {23}word /);
});

test('a kill names its process, and what came of it its time', () => {
  const killed = { what: 'killed', victim: 'agent', name: 'worker-2, at work', pid: 7 } as const;
  expect(describeEvent(killed, 0, 100)).toEqual(['    0.0s ✗ kill -9 7: worker-2, at work']);
  const recovery = { killed: 'agent', outcome: 'failed', how: 'nobody came', ms: 1 } as const;
  const failed = describeEvent({ what: 'recovered', recovery }, 0, 100);
  expect(failed).toEqual(['    0.0s ! not recovered: nobody came']);
});

test('what a program tells cannot act on the terminal', () => {
  const hostile = { what: 'told', agent: 'worker-1', text: '\u001b[2Jgone' } as const;
  expect(describeEvent(hostile, 0, 100).join()).not.toContain('\u001b');
});
