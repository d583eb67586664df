import { expect, test } from 'vitest';
import { findCanary, type Got, judgeWords } from './judge-words.ts';

const asked = (...texts: readonly string[]): readonly Got[] =>
  texts.map((text, n) => ({
    n,
    body: JSON.stringify({ messages: [{ role: 'user', content: [{ type: 'text', text }] }] }),
  }));
const fenced = (body: string): string => `<fence>\n--- from ann\n${body}\n--- end\n</fence>`;

test.each([
  ['as it was written', 'see @a.txt\nand /b', 'see @a.txt\nand /b'],
  ['with a backslash before each sign', 'see @@a', 'see \\@\\@a'],
  ['with a dot behind each sign', 'see @@a $b', 'see @·@·a $·b'],
  ['with what was hidden shown', 'a\u202eb\u200b@c', 'a<U+202E>b<U+200B>\\@c'],
  ['with one end of a line for two', 'a\r\nb\rc', 'a\nb\nc'],
  ['with the sender’s own backslash', 'see \\@a', 'see \\@a'],
])('words that arrived are found: %s', (_, sent, got) => {
  expect(judgeWords(asked('hello', fenced(got)), sent)).toBeUndefined();
});

test.each([
  ['nothing of it', 'exit', 'hello'],
  ['a part of a line', 'exit', 'please exit now'],
  ['its last sign', 'ends with \\', 'ends with '],
  ['a line of it', 'one\ntwo\nthree', 'one\nthree'],
  ['a path instead of its sign', 'see @a.txt', 'see a.txt'],
  ['a hidden character that was dropped', 'a\u200bb', 'ab'],
  ['a tab that became blanks', 'a\tb', 'a    b'],
])('words that were lost or changed are told: %s', (_, sent, got) => {
  expect(judgeWords(asked(fenced(got)), sent)).toMatch(/^the model /);
});

test('a tab may be what the composer of the CLI makes of it, and nothing else', () => {
  expect(judgeWords(asked(fenced('a    b')), 'a\tb', '    ')).toBeUndefined();
  expect(judgeWords(asked(fenced('ab')), 'a\tb', '    ')).toMatch(/^the model /);
});

test('its lines in two texts are not one text', () => {
  expect(judgeWords(asked(fenced('one'), fenced('two')), 'one\ntwo')).toContain('not as one text');
});

test('the contents of a file are found in any request, wherever they stand in it', () => {
  const requests = asked('hello', `--- Content of a.txt ---\nsecret4711\n`);
  expect(findCanary(requests, ['secret4711'])).toBe(
    'request 1 holds what the message only named: secret4711',
  );
  expect(findCanary(requests, ['secret4712'])).toBeUndefined();
});
