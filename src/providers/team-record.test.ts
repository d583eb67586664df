import { expect, test } from 'vitest';
import { readTeamRecords } from './team-record.ts';

const passed = (answer: number) => ({ kind: 'passed', measured: { answer } }) as const;

test('E11: what passed is counted, and what did not is named with what was seen', () => {
  const reason = 'it asks a person: Approve?\nmore';
  const asks = { kind: 'spared', reason, code: 'asks-person' } as const;
  const outcomes = { one: passed(300), two: passed(100), three: passed(200), four: asks };
  const row = { label: 'kimi', cli: 'kimi', version: '2.1.0', outcomes };
  expect(readTeamRecords({ day: '2026-11-15', rows: [row] })).toEqual({
    kimi: {
      day: '2026-11-15',
      version: '2.1.0',
      passed: 3,
      tried: 4,
      toolsWithoutDialog: false,
      medianMs: 200,
      notPassed: { four: 'it asks a person: Approve?' },
    },
  });
});

test('E11: rows of mixed teams, and those that a person helped, count for nobody', () => {
  const row = { cli: 'kimi', version: '2.1.0', outcomes: { one: passed(1) } };
  const rows = ['kimi, approved by hand', 'kimi with codex'].map((label) => ({ ...row, label }));
  expect(readTeamRecords({ day: '2026-11-15', rows })).toEqual({});
});
