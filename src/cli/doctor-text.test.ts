import { expect, test } from 'vitest';
import type { DoctorReport } from '../protocol/doctor.ts';
import { describeReport } from './doctor-text.ts';

const well: DoctorReport = {
  ok: true,
  ledger: {
    ...{ path: '/home/ada/.local/state/signalbox/ledger.db', exists: true, engine: 'sqlite' },
    ...{ id: 'ldg_06fh', schema: 24, bytes: 4096, freeBytes: 0, canShrink: true, agents: 3 },
    messages: { acked: 12 },
  },
  stateFolder: { path: '/home/ada/.local/state/signalbox', exists: true, canWrite: true },
  terminals: { backend: 'tmux', version: '3.5a', crashes: [], limits: [], agents: {}, others: [] },
  providers: {
    'claude-code': { path: '/bin/claude', version: '2.1.325', tested: '2.1.325', tried: [] },
    codex: { path: '/bin/codex', version: '0.166.0', tested: '0.166.0', tried: [] },
    kimi: { tested: '2.1.0', tried: [] },
  },
  ...{ problems: [], attention: [], warnings: [], waiting: [], questions: [], fixed: [] },
  worktrees: [{ what: 'The worktree /w/shop-fixer belongs to no agent any more.', next: 'Look.' }],
};
const ill: DoctorReport = {
  ...well,
  ok: false,
  attention: [
    {
      what: 'No byte can be written into the state folder /home/ada/.local/state/signalbox: the disk is full (ENOSPC).',
      next: 'Free some space. Until then signalbox accepts no message; it has lost none.',
    },
  ],
  questions: [{ what: '"lead" waits for you (trust).', next: 'Answer: `signalbox attach lead`.' }],
};

test('doctor with nothing wrong says so in two lines, with the CLIs here and the way to the rest', () => {
  expect(describeReport(well, { all: false, columns: 80 })).toBe(
    'all is well: claude-code 2.1.325, codex 0.166.0\n' +
      'see all that was checked: signalbox doctor --all\n',
  );
});

test('doctor names only what needs a person; a kept worktree does not, and --all shows it', () => {
  const shown = describeReport(ill, { all: false, columns: undefined }).split('\n');
  expect(shown.map((line) => line.split(/ {2,}/)[0])).toEqual([
    ...['attention', 'question', 'see all that was checked: signalbox doctor --all', ''],
  ]);
  const all = describeReport(ill, { all: true, columns: undefined });
  expect(all).toContain('\nworktree   The worktree /w/shop-fixer');
  expect(all).toContain('\nproviders  claude-code 2.1.325 (tested)\n');
  expect(all).not.toContain('all is well');
});

test.each([60, 80])('doctor fits %i columns, with and without --all', (columns) => {
  for (const all of [false, true]) {
    const lines = describeReport(ill, { all, columns }).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    // What is broken off goes on below its row.
    expect(lines).toContainEqual(expect.stringMatching(/^attention {2}No byte can be written/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {11}\S/));
  }
});

test('doctor tells a first user that there is no ledger yet, and no CLI', () => {
  const first = { ...well, ledger: { path: '/x', exists: false }, providers: {} };
  expect(describeReport(first, { all: false, columns: undefined })).toContain(
    'all is well, but no CLI that signalbox knows is on your PATH; there is no ledger yet',
  );
});
