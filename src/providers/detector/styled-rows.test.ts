import { expect, test } from 'vitest';
import { hasMotion, readStyles, stripSequences } from './styled-rows.ts';

const esc = '\u001b';

/** The letters of a row that are drawn so. */
function drawn(line: string, style: 'dim' | 'bold' | 'inverse' | 'italic', before = ''): string {
  const row = readStyles([before, line])[1];
  return [...(row?.text ?? '')].filter((_, i) => row?.has(style, i)).join('');
}

test('styles begin and end where their sequences say', () => {
  expect(drawn(`a${esc}[2mb${esc}[22mc`, 'dim')).toBe('b');
  expect(drawn(`a${esc}[1;2mb${esc}[mc`, 'bold')).toBe('b');
  expect(drawn(`a${esc}[1;2mb${esc}[22mc`, 'dim')).toBe('b');
  expect(drawn(`${esc}[7ma${esc}[27mb${esc}[0;3mc`, 'inverse')).toBe('a');
  expect(drawn(`${esc}[7ma${esc}[27mb${esc}[0;3mc`, 'italic')).toBe('c');
});

test('a style runs on over the end of a row, as tmux writes it', () => {
  expect(drawn('ab', 'dim', `${esc}[2mx`)).toBe('ab');
  expect(drawn(`a${esc}[0mb`, 'dim', `${esc}[2mx`)).toBe('a');
});

test('a 2 that belongs to a colour is not dim', () => {
  expect(
    drawn(`${esc}[38;5;2ma${esc}[38;2;2;2;2mb${esc}[48;2;1;2;3mc${esc}[38:2::1:2:3md`, 'dim'),
  ).toBe('');
  expect(drawn(`${esc}[38;5;2;2ma${esc}[0;48;2;1;2;3;2mb`, 'dim')).toBe('ab');
});

test('a colour is the one that was named last, however it is named, and ends with 39, with 0 and with nothing', () => {
  const row = readStyles([`${esc}[38;5;248ma${esc}[31mb${esc}[38:2::1:2:3mc${esc}[48;5;31md`])[0];
  expect([0, 1, 2, 3].map((at) => row?.colour(at))).toEqual([
    '38;5;248',
    '31',
    '38:2::1:2:3',
    '38:2::1:2:3',
  ]);
  for (const end of ['39', '0', '']) {
    expect(readStyles([`${esc}[1;38;2;1;2;3ma${esc}[${end}mb`])[0]?.colour(1)).toBeUndefined();
  }
});

test('herdr resets before each change and names colours of the palette by their number', () => {
  const line = `${esc}[0m${esc}[1m${esc}[2m${esc}[38;5;10ma${esc}[0m${esc}[38;5;1mb${esc}[0mc`;
  const row = readStyles([line, 'd'])[0];
  expect(row?.text).toBe('abc');
  expect([0, 1, 2].map((at) => row?.colour(at))).toEqual(['38;5;10', '38;5;1', undefined]);
  expect([drawn(line, 'bold'), drawn(line, 'dim')]).toEqual(['a', 'a']);
});

test('only text is left of colours, links, character sets and shifts', () => {
  const link = `${esc}]8;;http://x${esc}\\here${esc}]8;;\u0007`;
  expect(stripSequences(`${esc}[1;38;5;3ma${esc}(B${link}\u000eb\u000f`)).toBe('ahereb');
});

test('E4: what a program wrote is told from what a terminal shows', () => {
  for (const text of [`${esc}[2J`, `${esc}[3;4H`, `${esc}[K`, `${esc}[?25l`, `${esc}[2A`]) {
    expect([text, hasMotion(text)]).toEqual([text, true]);
  }
  expect(hasMotion(`${esc}[1;2mabc${esc}[0m${esc}]8;;x${esc}\\`)).toBe(false);
});
