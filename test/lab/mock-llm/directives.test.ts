import { expect, test } from 'vitest';
import { parseDirectives } from './directives.ts';

test('a text without a directive has no script', () => {
  expect(parseDirectives('please fix the tests in src@@HEAD')).toEqual([]);
});

test('directives on one line follow each other', () => {
  expect(parseDirectives('@@sleep 0.5 @@tool touch a && ls @@say it is done')).toEqual([
    { do: 'sleep', ms: 500 },
    { do: 'tool', command: 'touch a && ls' },
    { do: 'say', text: 'it is done' },
  ]);
});

test('a directive ends with its line, so that what a CLI appends is not part of it', () => {
  expect(parseDirectives('@@say hello\nContext: 3 files\n@@hang')).toEqual([
    { do: 'say', text: 'hello' },
    { do: 'hang' },
  ]);
});

test('a script in a message whose signs were escaped is played like any other', () => {
  expect(parseDirectives('\\@@sleep 1 \\@\\@say ok @·@·hang')).toEqual([
    { do: 'sleep', ms: 1000 },
    { do: 'say', text: 'ok' },
    { do: 'hang' },
  ]);
});

test('an answer of several lines is written with \\n', () => {
  expect(parseDirectives('@@say one\\ntwo')).toEqual([{ do: 'say', text: 'one\ntwo' }]);
});

test.each([
  ['@@stream 200 words 20ms', { do: 'stream', words: 200, everyMs: 20 }],
  ['@@big 1000000', { do: 'big', bytes: 1_000_000 }],
  ['@@mcp orch ping {"a":"b c"}', { do: 'mcp', server: 'orch', tool: 'ping', json: '{"a":"b c"}' }],
  ['@@mcp orch ping', { do: 'mcp', server: 'orch', tool: 'ping', json: '{}' }],
  ['@@fail 401', { do: 'fail', status: 401, times: Infinity }],
  ['@@fail 500 2', { do: 'fail', status: 500, times: 2 }],
])('%s is understood', (text, step) => {
  expect(parseDirectives(text)).toEqual([step]);
});

test.each(['@@sleep', '@@sleep long', '@@stream many', '@@big 1k', '@@fail 200', '@@tool'])(
  '%s is answered with what is wrong, not played as something else',
  (text) => {
    const [step] = parseDirectives(text);
    expect(step).toEqual({ do: 'say', text: expect.stringContaining(`cannot read`) });
    expect(step).toEqual({ do: 'say', text: expect.stringContaining(text) });
  },
);
