import { expect, test } from 'vitest';
import { findLongComments, wrapComments } from '../scripts/comments.mjs';
import { scanSource } from '../scripts/scan-source.mjs';

/** So many columns of words, and `tail` at the end. */
function words(columns: number, tail = '.'): string {
  return `${'word '.repeat(columns).slice(0, columns - tail.length)}${tail}`;
}

function longest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}

test.each([
  ["const a = 'x // y'; // z", 'string //'],
  ['const a = "/* no */"; /* yes */', 'string /*'],
  ["const a = 'it\\'s // no';", 'string'],
  [`const a = \`// no \${b /* yes */} // no\`; // z`, 'template /* //'],
  [`const a = \`\${\`// no\`}\`;`, 'template template'],
  ['const a = /\\/\\/[/*]/.test(b); // z', '//'],
  ['const a = b / c; // d / e', '//'],
  ['const a = (b) / 2 / c; /* z */', '/*'],
  ["return /'/.test(a); // it's", '//'],
  ['a++ / 2; // z', '//'],
  ['if (a.of / 2) b(); // z', '//'],
  ['const a = { b: {} }; // z', '//'],
])('a comment is told from what only looks like one: %s', (text, kinds) => {
  const marks = { line: '//', block: '/*', string: 'string', template: 'template' };
  expect(scanSource(text).map(({ kind }) => marks[kind])).toEqual(kinds.split(' '));
});

test.each([
  ['a line', `  // ${words(120)}`],
  ['a block', `/** ${words(110)} */`],
  ['a line of a block', `/**\n * ${words(101)}\n */`],
  ['behind code', `const a = 1; // ${words(95)}`],
  ['an entry of a list', `/**\n * - a: ${words(120)}\n *   ${words(60)}\n * - b: short\n */`],
])('%s beyond 100 columns is found, and wrapped once and for all', (_, text) => {
  expect(findLongComments(text)).toHaveLength(1);
  const wrapped = wrapComments(text);
  expect(findLongComments(wrapped)).toEqual([]);
  expect(longest(wrapped)).toBeLessThanOrEqual(100);
  expect(wrapComments(wrapped)).toBe(wrapped);
});

test.each([
  ['100 columns', `// ${words(97, '.')}`],
  ['a string', `const a = '// ${words(120)}';`],
  ['code', `const a = [${"'a', ".repeat(40)}];`],
  ['a word that cannot be broken', `// ${'x'.repeat(120)}`],
  ['a directive for a tool', `// biome-ignore lint/a/b: ${words(120)}`],
])('%s is left as it is', (_, text) => {
  expect(findLongComments(text)).toEqual([]);
  expect(wrapComments(text)).toBe(text);
});

test('a table, a drawing and a sample are told, and left to a person', () => {
  const rows = [
    ` * | a | ${words(100)} |`,
    ` *     sample ${words(100)}`,
    ` * a  b  ${words(100)}`,
  ];
  const text = `/**\n${rows.join('\n')}\n */`;
  expect(findLongComments(text)).toHaveLength(3);
  expect(wrapComments(text)).toBe(text);
});

test('paragraphs and lists keep their form, and a short paragraph its lines', () => {
  const text = [
    '  /**',
    '   * One short line',
    '   * and another.',
    '   *',
    `   * ${words(60)}`,
    `   * ${words(110, 'end.')}`,
    `   * - a: ${words(100, 'end.')}`,
    '   *   more of it.',
    '   */',
  ].join('\n');
  const lines = wrapComments(text).split('\n');
  expect(lines.slice(0, 4)).toEqual(text.split('\n').slice(0, 4));
  expect(lines.filter((line) => /^ {3}\* - /.test(line))).toHaveLength(1);
  expect(lines.at(-2)).toMatch(/^ {3}\* {3}.*more of it\.$/);
});

test('one line of a block becomes a block, and a comment behind code goes above it', () => {
  expect(wrapComments(`  /** ${words(100, 'end.')} */\n  a();`)).toMatch(
    /^ {2}\/\*\*\n {3}\* word .*\n {3}\* .*end\.\n {3}\*\/\n {2}a\(\);$/,
  );
  expect(wrapComments(`  a(); // ${words(100, 'end.')}`)).toMatch(
    /^ {2}\/\/ word .*\n {2}\/\/ .*end\.\n {2}a\(\);$/,
  );
});

test('the number of a rule stays with its word, and no line begins like a list', () => {
  const text = `// ${words(92)} rule 14 is kept`;
  expect(wrapComments(text)).toMatch(/\n\/\/ rule 14 is kept$/);
  expect(wrapComments(`// ${words(96)} - and on`)).not.toMatch(/^\/\/ - /m);
  expect(wrapComments(`// ${words(96)} 2. and on`)).not.toMatch(/^\/\/ 2\./m);
});
