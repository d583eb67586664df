import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkRules } from './support/check-rules.ts';
import { readRuleBook } from './support/rule-book.ts';
import { findGuards, readName, writeGuards } from './support/rule-guards.ts';
import { readSources, type Source } from './support/rule-sources.ts';

const markdown = readFileSync('docs/rules.md', 'utf8');
const book = readRuleBook(markdown);

describe('docs/rules.md', () => {
  test('has every number, each built one has a test, and every citation leads there', () => {
    expect(book.length).toBeGreaterThanOrEqual(54 + 12 + 8 + 17 + 16);
    expect(checkRules(book, readSources())).toEqual([]);
  });

  test('names the tests that guard each rule; if not, run `npm run docs:rules`', () => {
    expect(writeGuards(markdown, findGuards(readSources()))).toBe(markdown);
  });

  test('says of a rule that is built in part what is planned, and of no other', () => {
    const isNamed = ({ text }: (typeof book)[number]): boolean => /^Planned: /m.test(text);
    const partly = book.filter(({ status }) => status === 'partly planned');
    expect(book.filter(isNamed).map(({ id }) => id)).toEqual(partly.map(({ id }) => id));
    expect(partly.length).toBeGreaterThan(0);
  });
});

describe('the check', () => {
  const rules = readRuleBook(`# Rules
## Topic
### Rule 1

Built.

- **1a**: Built.
- **1b** (planned): Not yet.

### Rule 2

**Planned.** Later.

### Rule 3

**Withdrawn.** It was wrong.

### B1

**Partly planned.** Some of it.

Planned: the rest.
`);
  const sound: Source[] = [
    { path: 'src/a.test.ts', text: "test('rule 1: it holds'); test('it holds (B1)');" },
    { path: 'src/a.ts', text: '/** Rule 1a, and B1. */' },
    { path: 'docs/a.md', text: 'Rule 2 is planned, rule 3 was withdrawn, rule 1b comes.' },
  ];
  const check = (...more: Source[]) => checkRules(rules, [...sound, ...more]);

  test('finds nothing wrong with a sound book', () => {
    expect(rules.map(({ id, status }) => `${id} ${status}`)).toEqual([
      '1 built',
      '2 planned',
      '3 withdrawn',
      'B1 partly planned',
    ]);
    expect(check()).toEqual([]);
  });

  test.each(['src/b.ts', 'src/b.test.ts', 'bench/b.ts', 'docs/b.md', 'scripts/b.mjs'])(
    'refuses a number that does not exist, cited by %s',
    (path) => {
      expect(check({ path, text: '\n// rule 4, B2' })).toEqual([
        `${path}:2 cites 4, which does not exist`,
        `${path}:2 cites B2, which does not exist`,
        `${path}:2 cites B2, which does not exist`,
      ]);
      expect(check({ path, text: 'rule 1c' })).toEqual([
        `${path}:1 cites 1c, which does not exist`,
      ]);
    },
  );

  test.each([
    ['nothing', ''],
    ['a comment', '// rule 1: it holds (B1)'],
    ['a name that only speaks of it', "test('B1: like the end of rule 1')"],
  ])('refuses a built rule that no test names, but %s', (_, text) => {
    const sources = [{ path: 'src/a.test.ts', text }, ...sound.slice(1)];
    expect(checkRules(rules, sources)).toContain('1 is not planned, and no test names it');
  });

  test.each([
    ['src/a.test.ts', "test('rule 1: it holds', { tags: ['full'] }, () => {})"],
    ['src/a.test.ts', "check(\n'rule 1: it holds',\n{ ...slow, tags: ['full'] },\nasync () => {})"],
    ['src/a.full.test.ts', "test('rule 1: it holds', () => {})"],
  ])('finds a rule whose tests run only in full: %s, %s', (path, text) => {
    const [, ...others] = sound;
    const b1 = { path: 'src/b.test.ts', text: "test('it holds (B1)', () => {})" };
    const found = checkRules(rules, [{ path, text }, b1, ...others]);
    expect(found).toEqual(['no test in `npm test` names 1']);
  });

  test.each(['src/b.ts', 'src/b.test.ts', 'bench/b.ts'])('refuses a planned one in %s', (path) => {
    expect(check({ path, text: '// rule 2' })).toEqual([`${path}:1 cites 2, which is planned`]);
    expect(check({ path, text: '// rule 1b' })).toEqual([`${path}:1 cites 1b, which is planned`]);
    expect(check({ path, text: '// rule 3' })).toEqual([`${path}:1 cites 3, which is withdrawn`]);
  });

  test('refuses a number that is left out, or written down twice', () => {
    const [one, , three, ...others] = rules;
    if (!one || !three) throw new Error('no rules');
    expect(checkRules([one, one, three, ...others], sound)).toEqual([
      '1 is written down twice',
      '2 is missing',
      'docs/a.md:1 cites 2, which does not exist',
    ]);
  });

  test('refuses a citation in a form that it does not know', () => {
    expect(check({ path: 'src/b.ts', text: '// rule 1 and 2' })).toEqual([
      'src/b.ts, line 1: "rule 1 and 2": write "rule 1" or "rules 1, 2"',
    ]);
  });
});

test.each([
  ['rule 14: a body ends nothing', '14'],
  ['B4, E12, rules 27, 30: a worker', 'B4 E12 27 30'],
  ['a mode is given by name (rule 37); a person’s own wins', '37'],
  ['values as given (rule 40, B13)', '40 B13'],
  ['a puller that dies, also where rule 8 would end', ''],
  ['rule 16: also where rule 8 would end', '16'],
  ['it is 14: odd (as rule 3 says)', ''],
  ['rule 45', ''],
])('the name of a test cites in front or in brackets: %j', (name, ids) => {
  const cited = new Set(readName(name).map(({ id }) => id));
  expect([...cited].toSorted()).toEqual(ids.split(' ').filter(Boolean).toSorted());
});
