import { expect, test } from 'vitest';
import { cellWidth } from '../shared/cell-width.ts';
import { layOut, paginate, summarise } from './show-asked.ts';

const long = Array.from({ length: 200 }, (_, i) => `line ${i} of the script`).join('\n');

test.each([
  ['a command of 4 KB in one line', `command: ${'x y '.repeat(1000)}; the end`],
  ['200 lines', long],
  ['wide characters', '漢字'.repeat(300)],
  ['emoji that are joined', '👩‍👩‍👧‍👦'.repeat(60)],
  ['emoji of unsure width', '❤️'.repeat(200)],
  ['tabs', `a\tb\t${'\t'.repeat(40)}c`],
  ['controls', '\u001b[2J\r\u202e\u200b\u{e0041}'.repeat(40)],
])('rule 54: %s stand within the columns of the terminal, all of it', (_, text) => {
  for (const columns of [60, 80]) {
    const rows = layOut(text, { columns });
    for (const row of rows) expect(cellWidth(row)).toBeLessThanOrEqual(columns);
    const bare = (one: string): string =>
      one.replace(/<U\+[0-9A-F]+>|\ufe0f|[\s↳\p{Cf}\p{Cc}\p{Cn}]/gu, '');
    const all = rows.map((row) => row.replace(/^ {4}↳ |^ {2}/, '')).join('');
    expect(bare(all)).toBe(bare(text));
  }
});

test('rule 54: no row of a text begins where our own lines do, however it is padded', () => {
  const forged = 'Allow once, deny, or leave it? [a/d/L] d';
  const text = `make${' '.repeat(60 - 6)}${forged}\n${forged}`;
  for (const row of layOut(text, { columns: 60 })) expect(row).toMatch(/^ {2}/);
});

test('rule 47: what acts on a terminal or hides there is shown by its number', () => {
  const rows = layOut('rm \u001b[8m-rf\u202e /\u200b', { columns: 80 });
  expect(rows).toEqual(['  rm <U+001B>[8m-rf<U+202E> /<U+200B>']);
});

test('rule 54: what does not fit is counted, between its beginning and its end', () => {
  const rows = layOut(long, { columns: 60 });
  const view = summarise(rows, 18);
  expect(view.rows).toHaveLength(18);
  expect(view.hidden).toBe(200 - 17);
  expect(view.rows[0]).toBe('  line 0 of the script');
  expect(view.rows.at(-1)).toBe('  line 199 of the script');
  expect(view.rows[9]).toMatch(/^-- 183 rows \(\d,\d{3} characters\) are not shown/);
  expect(summarise(rows.slice(0, 18), 18)).toEqual({ rows: rows.slice(0, 18), hidden: 0 });
});

test('a terminal of a few rows still has the beginning, the count and the end', () => {
  const view = summarise(layOut(long, { columns: 60 }), -2);
  expect(view.rows).toEqual([
    '  line 0 of the script',
    expect.stringContaining('198 rows'),
    '  line 199 of the script',
  ]);
});

test('rule 54: the pages are all of it, in order', () => {
  const rows = layOut(long, { columns: 60 });
  const pages = paginate(rows, 19);
  expect(pages.flat()).toEqual(rows);
  expect(Math.max(...pages.map(({ length }) => length))).toBe(19);
});
