import { expect, test } from 'vitest';
import { cutRows, fold, hang } from './fold.ts';

test('a text is folded between its words, and a word that is too long stays whole', () => {
  expect(fold('it is not woken while it is at rest', 12)).toEqual([
    'it is not',
    'woken while',
    'it is at',
    'rest',
  ]);
  expect(fold('see /a/very/long/path there', 10)).toEqual(['see', '/a/very/long/path', 'there']);
  expect(fold('', 10)).toEqual(['']);
});

test('a command is kept whole, so that it can be pasted', () => {
  expect(fold('Answer it: run `signalbox attach lead`, please.', 30)).toEqual([
    'Answer it: run',
    '`signalbox attach lead`,',
    'please.',
  ]);
  expect(fold('lead waits for you: trust this? → signalbox attach lead', 40)).toEqual([
    'lead waits for you: trust this?',
    '→ signalbox attach lead',
  ]);
  // Half a pair of quotes is a sign like any other.
  expect(fold('a ` and more words', 8)).toEqual(['a ` and', 'more', 'words']);
});

test('wide characters take two cells, and gaps between columns stay', () => {
  expect(fold('日本語 日本語', 12)).toEqual(['日本語', '日本語']);
  expect(fold('lead  waits  1m', 20)).toEqual(['lead  waits  1m']);
});

test('a row goes on below itself; what is no terminal gets one line', () => {
  expect(hang('waits for a person to answer it', 36, 16)).toBe(
    `waits for a person\n${' '.repeat(16)}to answer it`,
  );
  expect(hang('waits for a person to answer it', undefined, 16)).not.toContain('\n');
});

test('a row of a table is cut at the edge of a terminal, and whole elsewhere', () => {
  const rows =
    'code_0123456789[2m;ID  FROM  TEXTcode_0123456789[0m;\n1   lead  漢字漢字漢字\n2   lead  a b c\n';
  expect(cutRows(rows, undefined)).toBe(rows);
  expect(cutRows(rows, 80)).toBe(rows);
  expect(cutRows(rows, 16).split('\n').slice(1)).toEqual([
    '1   lead  漢字…',
    '2   lead  a b c',
    '',
  ]);
  expect(cutRows(rows, 14).split('\n').slice(1)).toEqual(['1   lead  漢…', '2   lead  a b…', '']);
});
