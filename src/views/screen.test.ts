import { expect, test } from 'vitest';
import { paletteColour, readScreen } from './screen.ts';

test('rows are cut at line ends, and styles go on over them', () => {
  const [first, second, third] = readScreen('plain \u001b[1;31mred\r\nstill\u001b[0m off\r\n');
  expect(first).toEqual([
    { text: 'plain ', style: {}, cells: 6 },
    { text: 'red', style: { bold: true, ink: '1' }, cells: 3 },
  ]);
  expect(second?.map(({ text, style }) => [text, style])).toEqual([
    ['still', { bold: true, ink: '1' }],
    [' off', {}],
  ]);
  expect(third).toEqual([]);
});

test.each([
  ['4;9;3;2', { underline: true, strike: true, italic: true, dim: true }],
  ['1;2;22', {}],
  ['97;100', { ink: '15', paper: '8' }],
  ['38;5;208;48;2;1;2;255', { ink: '208', paper: '#0102ff' }],
  ['31;39', {}],
  ['7', { inverse: true }],
  ['38;5;999', {}],
  ['38;2;1;2', {}],
  ['', {}],
  ['77', {}],
])('SGR %s', (codes, style) => {
  expect(readScreen(`\u001b[${codes}mx`)[0]?.[0]?.style).toEqual(style);
});

test.each([
  ['a device query', '\u001b[c'],
  ['a status query', '\u001b[6n'],
  ['a query of colours', '\u001b]11;?\u0007'],
  ['a clipboard write', '\u001b]52;c;cm0gLXJmIC8=\u0007'],
  ['a title', '\u001b]0;owned\u0007'],
  ['a device control string', '\u001bP$q"p\u001b\\'],
  ['a cursor move', '\u001b[2J\u001b[H'],
  ['a C1 control', '\u009b6n'],
])('%s is shown as text, and no control character is left', (_, sequence) => {
  const text = readScreen(`a${sequence}b`)
    .flat()
    .map((piece) => piece.text)
    .join('');
  expect(text).toMatch(/<U\+00(?:1B|9B|07)>/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
  expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test('marks of direction and invisible characters are shown by their numbers', () => {
  const text = readScreen('a\u202eb\u200bc\u{e0041}')[0]
    ?.map((piece) => piece.text)
    .join('');
  expect(text).toBe('a<U+202E>b<U+200B>c<U+E0041>');
});

test('what is not one cell wide is a piece of its own, with its cells', () => {
  const [row] = readScreen('ab漢é👩‍💻──x');
  expect(row?.map(({ text, cells }) => [text, cells])).toEqual([
    ['ab', 2],
    ['漢', 2],
    ['é', 1],
    ['👩‍💻', expect.any(Number)],
    ['──', 2],
    ['x', 1],
  ]);
});

test('a screen larger than any terminal is cut', () => {
  expect(readScreen('x\n'.repeat(2000))).toHaveLength(500);
  expect(readScreen('é'.repeat(5000))[0]?.length).toBe(1000);
});

test('the 256 colours behind the first 16 are those of xterm', () => {
  expect([16, 21, 196, 231, 232, 255].map(paletteColour)).toEqual([
    '#000000',
    '#0000ff',
    '#ff0000',
    '#ffffff',
    '#080808',
    '#eeeeee',
  ]);
});
