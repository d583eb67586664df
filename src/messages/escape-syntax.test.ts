import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sweep } from '../../test/support/sweep.ts';
import { escapeSyntax } from './escape-syntax.ts';
import { neutralise } from './neutralise.ts';

const numRuns = sweep(5000, 1000);

/** Texts of the signs that matter here, close together. */
const text = fc
  .array(
    fc.constantFrom(
      ...[
        '@',
        '@',
        '$',
        '\\',
        ' ',
        '\n',
        '\r\n',
        '\t',
        '"',
        '(',
        '/',
        'a',
        'é',
        '漢',
        '.',
        '<',
        '-',
      ],
      ...['\u00a0', '\u200b', '\u2060', '\u202e', '\ufeff', '\u2028', '\x1b', '\v', '＠', '👩‍👧'],
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

test.each([
  ['at the beginning', '@a.txt', '\\@a.txt'],
  ['behind a blank, a tab and on a line of its own', 'see @a\t@b\n@c', 'see \\@a\t\\@b\n\\@c'],
  ['behind blanks that are not of ASCII', '\u00a0@a\u3000@b', '\u00a0\\@a\u3000\\@b'],
  ['quoted, absolute, at home', '@"a b" @/etc/hosts @~/x', '\\@"a b" \\@/etc/hosts \\@~/x'],
  ['before a hidden character', '@\u200ba @\ufeffb', '\\@\u200ba \\@\ufeffb'],
])(
  'rule 51f: in words of others a path behind @ is no order to read it: %s',
  (_, given, written) => {
    expect(escapeSyntax(given, { at: 'word' })).toBe(written);
    expect(escapeSyntax(given, { at: 'anywhere' })).toBe(written);
  },
);

test('rule 51f: within a word it is escaped only where a CLI reads it there', () => {
  const given = 'x@y.org (@a) "@b" @@c \\@d';
  expect(escapeSyntax(given, { at: 'word' })).toBe('x@y.org (@a) "@b" \\@@c \\@d');
  expect(escapeSyntax(given, { at: 'anywhere' })).toBe('x\\@y.org (\\@a) "\\@b" \\@\\@c \\@d');
});

test('rule 51f: a sign that names nothing is escaped like all others, and what only looks like one stays', () => {
  for (const at of ['word', 'anywhere'] as const) {
    expect(escapeSyntax('at 5 @ noon, ＠full ﹫ @', { at })).toBe('at 5 \\@ noon, ＠full ﹫ \\@');
  }
  expect(escapeSyntax('@a.txt')).toBe('@a.txt');
  expect(escapeSyntax('@a.txt', {})).toBe('@a.txt');
});

test('rule 51f: where a backslash does not help, a dot stands behind the sign', () => {
  expect(escapeSyntax('@a (@b) x@y.org @@c \\@d @·e', { at: 'always' })).toBe(
    '@·a (@·b) x@·y.org @·@·c \\@·d @·e',
  );
});

test('rule 51f: a skill that is named is no order to read it, and variables of a shell stay', () => {
  const dollar = true;
  expect(escapeSyntax('$warble a$b-c $9x [$d](skill://d) $É $_x', { dollar })).toBe(
    '$·warble a$·b-c $·9x [$·d](skill://d) $É $·_x',
  );
  const shell = 'echo $HOME $MY_VAR2 $1 $12 $? $$ $(ls) 5$ $ US$5, $·e';
  expect(escapeSyntax(shell, { dollar })).toBe(shell);
  expect(escapeSyntax('$HOMEx $Path $1-a $A-b $A:b', { dollar })).toBe(
    '$·HOMEx $·Path $·1-a $·A-b $·A:b',
  );
});

test('rule 51f: so is one behind a slash, and paths stay', () => {
  expect(escapeSyntax('/warble use /a-b, (/c) "/d". \n/e', { slash: true })).toBe(
    '/·warble use /·a-b, (/·c) "/·d". \n/·e',
  );
  const paths = '/tmp/x src/a ./b ../c ~/d a/b//c and/or 1/2 / // /·e https://x.org/y </a>';
  expect(escapeSyntax(paths, { slash: true })).toBe(paths.replace('</a>', '</·a>'));
});

describe.each(['word', 'anywhere', 'always'] as const)('%s', (at) => {
  test('rule 12: escaped again it is the same, also as it stands in an envelope', () => {
    const isStable = (given: string): void => {
      const syntax = { at, dollar: true, slash: true } as const;
      const written = escapeSyntax(given, syntax);
      expect(escapeSyntax(written, syntax)).toBe(written);
      const shown = neutralise(written);
      expect(escapeSyntax(shown, syntax)).toBe(shown);
    };
    fc.assert(fc.property(text, isStable), { numRuns });
  });

  test('rule 51f: nothing but backslashes and dots is added, and nothing is left that a CLI would read', () => {
    const plain = (written: string): string =>
      written.replaceAll(/\\+@/g, '@').replaceAll(/([@$/])·/g, '$1');
    // As Claude Code 2.1.325, Gemini CLI 0.61.0 and Copilot CLI 1.0.102 look for it.
    const signs = { word: /(?:^|\s)@/, anywhere: /(?:^|[^\\])@/, always: /@[^·]/ };
    const isWhole = (given: string): void => {
      const written = escapeSyntax(given, { at, dollar: true, slash: true });
      expect(plain(written)).toBe(plain(given));
      expect(neutralise(written)).not.toMatch(signs[at]);
      expect(neutralise(written)).not.toMatch(/\$[a-z]/);
    };
    fc.assert(fc.property(text, isWhole), { numRuns });
  });
});
