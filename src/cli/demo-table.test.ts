import { expect, test, vi } from 'vitest';
import type { TeamMember } from '../demo/moment.ts';
import { formatChanges, formatTeam } from './demo-table.ts';

// Also where somebody runs the tests on a terminal.
vi.stubEnv('NO_COLOR', '1');

const inbox = { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 };
const idle: TeamMember = {
  name: 'worker-1',
  status: 'idle',
  detail: '',
  inbox,
  epoch: 1,
  does: '',
};
const counts = { what: 'team', accepted: 7, received: 6, repeats: 1, atMs: 12_345 } as const;

test('each agent is a row: status with detail, inbox, life, and what its program says', () => {
  const held = { ...inbox, queued: 2, injected: 1 };
  const waiting = { ...idle, status: 'waiting', detail: 'question', inbox: held } as const;
  const [heads, row, , last] = formatTeam({ ...counts, agents: [waiting] }, 120);
  expect(heads).toMatch(/^ {2}NAME +STATUS +INBOX +LIFE +ITS PROGRAM SAYS$/);
  expect(row).toMatch(/^ {2}worker-1 +waiting: question +2 queued, 1 in hand +1/);
  expect(last).toMatch(/^ {2}7 messages accepted, 6 received, 1 of the copies .* 12 s$/);
});

test('no row is wider than the terminal, whatever a program says', () => {
  const loud = { ...idle, detail: 'x'.repeat(200), does: 'y'.repeat(500), name: 'z'.repeat(90) };
  for (const columns of [40, 79, 119]) {
    for (const row of formatTeam({ ...counts, agents: [loud, idle] }, columns)) {
      expect(row.length).toBeLessThanOrEqual(columns);
    }
  }
});

test('what a program says cannot act on the terminal', () => {
  const hostile = { ...idle, does: '\u001b[2Jgone' };
  expect(formatTeam({ ...counts, agents: [hostile] }, 120).join()).not.toContain('\u001b');
});

test('without a terminal a status is a line when it is another than before, and only then', () => {
  const busy = { ...idle, status: 'processing' } as const;
  const lines = formatChanges([idle], { ...counts, agents: [busy, { ...idle, name: 'worker-2' }] });
  expect(lines).toEqual(['   12.3s  worker-1  processing', '   12.3s  worker-2  idle']);
  expect(formatChanges([busy], { ...counts, agents: [{ ...busy, does: 'more' }] })).toEqual([]);
});
