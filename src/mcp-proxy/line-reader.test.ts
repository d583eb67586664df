import { expect, test } from 'vitest';
import { type Line, LineReader } from './line-reader.ts';
import { describeTooLong } from './trouble.ts';

function read(chunks: readonly (string | Buffer)[], limit?: number): readonly Line[] {
  const lines: Line[] = [];
  const reader = new LineReader((line) => lines.push(line), limit);
  for (const chunk of chunks) reader.take(Buffer.from(chunk));
  reader.end();
  return lines;
}

test('lines are cut wherever the chunks are, and empty ones are none', () => {
  const [first, second] = [Buffer.from('{"a":"ü'), Buffer.from('"}\r\n\n  \n1\n2')];
  const halves = [first.subarray(0, -1), Buffer.concat([first.subarray(-1), second])];
  expect(read(halves)).toEqual([
    { kind: 'line', text: '{"a":"ü"}' },
    { kind: 'line', text: '1' },
    { kind: 'line', text: '2' },
  ]);
});

test('a line that is not UTF-8 is told from one that is, and its text only names it', () => {
  const bytes = Buffer.from('{"id":1,"body":"café"}\n{"body":"\ufffd"}\n', 'utf8');
  const wrong = Buffer.from('{"id":1,"body":"café"}\n', 'latin1');
  expect(read([wrong, bytes])).toEqual([
    { kind: 'not-utf8', text: '{"id":1,"body":"caf\ufffd"}' },
    { kind: 'line', text: '{"id":1,"body":"café"}' },
    { kind: 'line', text: '{"body":"\ufffd"}' },
  ]);
});

test('of a line that is too long only its ends are kept, and the next one is whole again', () => {
  const long = `{"id":1,${'x'.repeat(5000)},"end":2}`;
  const chunks = [long.slice(0, 90), long.slice(90, 2000), `${long.slice(2000)}\nnext\n`];
  const [first, second] = read(chunks, 100);
  expect(first).toMatchObject({ kind: 'too-long', head: expect.stringMatching(/^\{"id":1,x/) });
  expect(first).toMatchObject({ tail: expect.stringMatching(/x,"end":2\}$/) });
  expect(second).toEqual({ kind: 'line', text: 'next' });
});

test('a request that is too long is refused by its id, where an end tells it for sure', () => {
  const idOf = (head: string, tail: string) =>
    (describeTooLong({ head, tail }) as { id: unknown }).id;
  const body = '"params":{"arguments":{"body":"xxx';
  expect(idOf(`{"jsonrpc":"2.0","id":7,"method":"tools/call",${body}`, 'xxx"}}}')).toBe(7);
  expect(idOf(`{"jsonrpc":"2.0","method":"m","id":"a",${body}`, 'xxx"}}}')).toBe('a');
  expect(idOf(`{"method":"m",${body}`, 'xxx"}},"jsonrpc":"2.0","id":8}')).toBe(8);
  expect(idOf(`{"method":"m",${body}`, 'xxx"}},"id":9,"jsonrpc":"2.0"}')).toBe(9);
  // One inside the arguments is not its own.
  expect(idOf(`{"method":"m","params":{"id":5,${body}`, 'xxx","id":6}}}')).toBeNull();
});
