import { expect, test } from 'vitest';
import { readCitations } from './support/citations.ts';

function idsIn(text: string): string {
  const { found, unclear } = readCitations(text);
  expect(unclear).toEqual([]);
  return found.map(({ id }) => id).join(' ');
}

test.each([
  ['rule 14: a body ends nothing', '14'],
  ['Rule 14.', '14'],
  ['said once (rule 9)', '9'],
  ['rule 34’s five', '34'],
  ["by rule 34's five", '34'],
  ['rule 21: 20 at once', '21'],
  ['rules 4, 10: 60 s of rest', '4 10'],
  ['rules 4, 5 and 10', '4 5 10'],
  ['rules 4, 5, and 10', '4 5 10'],
  ['rules 26 and 30: the daemon', '26 30'],
  ['rules 16–18 hold', '16 17 18'],
  ['rules 1-3, 10, 15–16', '1 2 3 10 15 16'],
  ['rules 1 to 3', '1 2 3'],
  ['rule 42c: said as such', '42c'],
  ['rules 10, 42c and 49', '10 42c 49'],
  ['rules 26, O2: equal turns', '26 O2 O2'],
  ['rules 3, O3, 10: a drain', '3 O3 10 O3'],
  ['(rule 25, D6)', '25 D6 D6'],
  ['O3: a drain', 'O3'],
  ['B4, B10, rule 9', 'B4 B10 9'],
  ['as E12 says. See O3.', 'E12 O3'],
  ['B4/B10', 'B4 B10'],
  ['B5 to B8: messages', 'B5 B6 B7 B8'],
  ['B5–B7', 'B5 B6 B7'],
  [' * what is held (rule\n * 14) waits', '14'],
  ['// by rules 4,\n  // 5 and\n  // 10', '4 5 10'],
  ["    rule: '4, 42d',", '4 42d'],
  ['    rule: "13",', '13'],
  ['[it](rules.md#rule-14) and [that](docs/rules.md#b4)', '14 B4'],
  ['| rule | mutant |\n| --- | --- |\n| 4, 42d | x |\n\n| 7 | y |', '4 42d'],
])('a citation is read in every form: %j', (text, ids) => {
  expect(idsIn(text).split(' ').toSorted()).toEqual(ids.split(' ').toSorted());
});

test.each([
  'rule(80)',
  'rules[0].when[0]',
  'text.slice(rule + 1)',
  'the rules of 2026',
  '/agents/%E2%80%A6/look',
  '258EAFA5-E914-47DA-95CA-C5AB0DC85B11',
  'E2E, B2B, the id D4x',
  'id: "e1", \u001b[B1',
])('what only looks like one is none: %j', (text) => {
  expect(idsIn(text)).toBe('');
});

test.each([
  'rule 4, 5',
  'rule 4 and 5',
  'rule 16–18',
  'rules 4 through 6',
  'rules 4/5',
  'rules 4 & 5',
  'rules 4 – 6',
  'rule-14',
  'rule14',
  'rule #14',
  'rule no. 14',
  'rule 3rd',
  'rule 42g',
])('one in no known form is told, and not overlooked: %j', (text) => {
  expect(readCitations(`a\n${text} b`).unclear).toEqual([expect.stringMatching(/^line 2: "rule/)]);
});
