import { expect, test } from 'vitest';
import { stripSequences } from './strip-sequences.ts';

test('colours, titles, links, cursor motion and charset switches leave the text alone', () => {
  const cases: Readonly<Record<string, string>> = {
    '\u001b[31mred\u001b[0m': 'red',
    '\u001b[38;2;1;2;3mtrue colour\u001b[m': 'true colour',
    // As herdr writes colours and ends rows.
    '\u001b[0m\u001b[38;5;1mred\u001b[0m on\r\n\u001b[0m\u001b[1m\u001b[38;5;10mgo': 'red on\ngo',
    '\u001b]0;a title\u0007text': 'text',
    '\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\': 'link',
    '\u001b[2J\u001b[H\u001b[?2026hframe\u001b[?2026l': 'frame',
    '\u001b(Bplain\u000f': 'plain',
    '\u001bP+q544e\u001b\\after': 'after',
    '\u001b7saved\u001b8': 'saved',
    'one\r\ntwo\r\n': 'one\ntwo\n',
    ' 10%\r 50%\r100%\ndone': '100%\ndone',
    'ünïcode 作業 🚦': 'ünïcode 作業 🚦',
  };
  for (const [raw, plain] of Object.entries(cases)) expect(stripSequences(raw)).toBe(plain);
});

test('a sequence that never ends swallows nothing but itself, and nothing is left that acts', () => {
  const left = stripSequences('a\u001b[31');
  expect(left.startsWith('a')).toBe(true);
  expect(stripSequences('\u001b]0;unended')).toBe('');
});
