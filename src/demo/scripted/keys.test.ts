import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Key, KeyDecoder } from './keys.ts';

test('keys, sequences and pastes are told apart', () => {
  expect(decode('aé日\r')).toEqual([{ key: 'text', text: 'aé日' }, { key: 'enter' }]);
  expect(decode('\x1b[A\x1bOB\x1b[3~\x1b\r')).toEqual(named('up', 'down', 'delete', 'newline'));
  expect(decode('\x1b[200~a\r\nb\x1b[Ac\x1b[201~\r')).toEqual([
    { key: 'paste', text: 'a\nb[Ac' },
    { key: 'enter' },
  ]);
});

test("a terminal's answers and keys that mean nothing here are dropped, with all their bytes", () => {
  expect(decode('\x1b[?1;2c\x1b[5;7R\x1bx\x1b[15~\x00\x1aa')).toEqual([{ key: 'text', text: 'a' }]);
});

test('an ESC that nothing follows is the Escape key, and two are one at once', () => {
  const decoder = new KeyDecoder();
  expect(decoder.feed(Buffer.from('\x1b'))).toEqual([]);
  expect(decoder.isWaiting).toBe(true);
  expect(decoder.flush()).toEqual(named('escape'));
  expect(decoder.feed(Buffer.from('\x1b\x1b'))).toEqual(named('escape'));
  expect([...decoder.flush(), ...decoder.flush()]).toEqual(named('escape'));
});

test('a paste whose end never came swallows everything, as in a terminal', () => {
  const decoder = new KeyDecoder();
  expect(decoder.feed(Buffer.from('\x1b[200~a\r'))).toEqual([]);
  expect(decoder.isWaiting).toBe(false);
  expect(decoder.feed(Buffer.from('b\x1b[201~'))).toEqual([{ key: 'paste', text: 'a\nb' }]);
});

test('wherever the reads cut the bytes, the keys are the same', () => {
  const piece = fc.constantFrom(
    'a',
    'é',
    '日本',
    '👍',
    '\r',
    '\n',
    '\x7f',
    '\x1b[A',
    '\x1bOD',
    '\x1b[200~x\ny\x1b[201~',
  );
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(40)), (pieces, sizes) => {
      const bytes = Buffer.from(pieces.join(''));
      const decoder = new KeyDecoder();
      const keys: Key[] = [];
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        keys.push(...decoder.feed(bytes.subarray(at, at + size)));
        at += size;
      }
      expect(merge(keys)).toEqual(merge(decode(bytes.toString())));
    }),
  );
});

function decode(text: string): readonly Key[] {
  return new KeyDecoder().feed(Buffer.from(text));
}

function named(...keys: readonly Exclude<Key, { text: string }>['key'][]): readonly Key[] {
  return keys.map((key) => ({ key }));
}

/** Text may come in any number of pieces. */
function merge(keys: readonly Key[]): readonly Key[] {
  const merged: Key[] = [];
  for (const key of keys) {
    const last = merged.at(-1);
    if (key.key === 'text' && last?.key === 'text') {
      merged[merged.length - 1] = { key: 'text', text: last.text + key.text };
    } else merged.push(key);
  }
  return merged;
}
