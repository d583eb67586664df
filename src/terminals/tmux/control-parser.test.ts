import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ControlParser, decodeOutput } from './control-parser.ts';

type Event =
  | { kind: 'block'; isError: boolean; isOurs: boolean; text: string }
  | { kind: 'output'; pane: string; hex: string }
  | { kind: 'notification'; name: string; rest: string };

function parse(chunks: readonly Buffer[], isRaw = true): readonly Event[] {
  const events: Event[] = [];
  const parser = new ControlParser({
    isRaw: () => isRaw,
    block: ({ isError, isOurs, lines }) =>
      events.push({
        kind: 'block',
        isError,
        isOurs,
        text: Buffer.concat(join(lines)).toString('latin1'),
      }),
    output: (pane, bytes) => events.push({ kind: 'output', pane, hex: bytes.toString('hex') }),
    notification: (name, rest) => events.push({ kind: 'notification', name, rest }),
  });
  for (const chunk of chunks) parser.push(chunk);
  return events;
}

function join(lines: readonly Buffer[]): Buffer[] {
  return lines.flatMap((line, i) => (i === 0 ? [line] : [Buffer.from('\n'), line]));
}

const lines = (...all: string[]): Buffer => Buffer.from(`${all.join('\n')}\n`, 'latin1');

test('a block ends only with the very words that began it, whatever a captured screen shows', () => {
  const screen = [
    '%end 1 2 1',
    '%error 17 4 1',
    '%output %1 x',
    '%begin 17 6 1',
    '%end 17 5 0',
    '',
  ];
  const stream = lines('%begin 17 5 1', ...screen, '%end 17 5 1', '%sessions-changed');
  expect(parse([stream])).toEqual([
    { kind: 'block', isError: false, isOurs: true, text: screen.join('\n') },
    { kind: 'notification', name: '%sessions-changed', rest: '' },
  ]);
});

test('only blocks with flag 1 are answers to us', () => {
  const stream = lines('%begin 1 2 0', '%end 1 2 0', '%begin 1 3 1', 'no', '%error 1 3 1');
  expect(parse([stream])).toEqual([
    { kind: 'block', isError: false, isOurs: false, text: '' },
    { kind: 'block', isError: true, isOurs: true, text: 'no' },
  ]);
});

test('a notification inside a block is taken out where the command cannot print one (tmux#5458)', () => {
  const stream = lines('%begin 1 3 1', 'p%1', '%output %1 x\\015', '%unknown-to-us', '%end 1 3 1');
  expect(parse([stream], false)).toEqual([
    { kind: 'output', pane: '%1', hex: '780d' },
    { kind: 'block', isError: false, isOurs: true, text: 'p%1\n%unknown-to-us' },
  ]);
});

test('output is decoded to the bytes that the program wrote', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(decodeOutput(encode(bytes))).toEqual(Buffer.from(bytes));
    }),
  );
});

test('the chunks that a stream arrives in change nothing', () => {
  const anyScreen = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom('%end 1 1 1', '%begin 9 9 1', '%exit', '%output %0 a', ''),
    ),
  );
  const anyPart = fc.oneof(
    anyScreen.map((screen) => ({ screen })),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => ({ bytes })),
  );
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 8 }), fc.array(fc.nat(50)), (parts, cuts) => {
      const expected: Event[] = [];
      const stream = Buffer.concat(
        parts.map((part, i) => {
          if ('bytes' in part) {
            expected.push({
              kind: 'output',
              pane: `%${i}`,
              hex: Buffer.from(part.bytes).toString('hex'),
            });
            return Buffer.concat([
              Buffer.from(`%output %${i} `),
              encode(part.bytes),
              Buffer.from('\n'),
            ]);
          }
          const tag = `1700000000 ${1000 + i} 1`;
          const screen = part.screen.map((line) => line.replaceAll('\n', ' '));
          const text = Buffer.from(screen.join('\n'));
          expected.push({
            kind: 'block',
            isError: false,
            isOurs: true,
            text: text.toString('latin1'),
          });
          const body = screen.length > 0 ? [text, Buffer.from('\n')] : [];
          return Buffer.concat([
            Buffer.from(`%begin ${tag}\n`),
            ...body,
            Buffer.from(`%end ${tag}\n`),
          ]);
        }),
      );
      expect(parse(cut(stream, cuts))).toEqual(expected);
    }),
  );
});

test('a line of 4 MB in small chunks is one line', () => {
  const text = Buffer.alloc(4 * 1024 * 1024, 'x');
  const stream = Buffer.concat([Buffer.from('%output %1 '), text, Buffer.from('\n')]);
  const [event] = parse(cut(stream, Array(400).fill(10_007)));
  expect(event).toMatchObject({ kind: 'output', pane: '%1' });
  expect(event?.kind === 'output' && event.hex.length).toBe(text.length * 2);
});

/** As tmux does it: the backslash and everything below a space in octal. */
function encode(bytes: Uint8Array): Buffer {
  const parts = [...bytes].map((byte) =>
    byte < 0x20 || byte === 0x5c
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  );
  return Buffer.from(parts.join(''), 'latin1');
}

function cut(stream: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  for (const size of sizes) {
    chunks.push(stream.subarray(start, start + size));
    start += size;
  }
  return [...chunks, stream.subarray(start)];
}
