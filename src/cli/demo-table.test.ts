import { beforeEach, expect, test, vi } from 'vitest';
import type { TeamMember } from '../demo/moment.ts';
import { formatTeam } from './demo-table.ts';

// Also where somebody runs the tests on a terminal.
beforeEach(() => void vi.stubEnv('NO_COLOR', '1'));

const idle: TeamMember = {
  name: 'worker-1',
  status: 'idle',
  detail: '',
  isChild: true,
  owes: [],
  does: '',
};
const counts = { what: 'team', sent: 7, received: 6, repeats: 1, atMs: 12_345 } as const;

test('each agent is a row: status with detail, whom it owes an answer, and what its program does', () => {
  const first = { ...idle, name: 'supervisor', isChild: false, owes: ['user'] };
  const busy = { ...idle, status: 'processing', owes: ['supervisor'], does: 'a task' } as const;
  const gone = { ...idle, name: 'worker-2', status: 'exited', detail: 'signal SIGKILL' } as const;
  const rows = formatTeam({ ...counts, agents: [first, busy, gone] }, 120);
  expect(rows).toEqual([
    '  WHO           STATUS                  OWES        ITS PROGRAM',
    '  supervisor    idle                    you',
    '  ├ worker-1    processing              supervisor  a task',
    '  └ worker-2    exited: signal SIGKILL',
    '  7 messages sent, 6 received, 1 marked as a repeat, 12 s',
  ]);
});

test('no row is wider than the terminal, whatever a program says', () => {
  const loud = { ...idle, detail: 'x'.repeat(200), does: 'y'.repeat(500), name: 'z'.repeat(90) };
  for (const columns of [1, 20, 40, 79, 119]) {
    for (const row of formatTeam({ ...counts, agents: [loud, idle] }, columns)) {
      expect(row.length).toBeLessThanOrEqual(columns);
    }
  }
});

test('what a program says cannot act on the terminal', () => {
  const hostile = { ...idle, does: '\u001b[2Jgone' };
  expect(formatTeam({ ...counts, agents: [hostile] }, 120).join()).not.toContain('\u001b');
});
