import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutParts } from './parts.ts';

test('a short body is one part, and an empty one too', () => {
  expect(cutParts('short')).toEqual(['short']);
  expect(cutParts('')).toEqual(['']);
});

test('a long body is cut behind lines, and in the middle of a line only where it is long', () => {
  const lines = Array.from({ length: 5 }, (_, i) => `${String(i).repeat(30)}\n`).join('');
  expect(cutParts(lines, 64)).toEqual([
    `${'0'.repeat(30)}\n${'1'.repeat(30)}\n`,
    `${'2'.repeat(30)}\n${'3'.repeat(30)}\n`,
    `${'4'.repeat(30)}\n`,
  ]);
  expect(cutParts(`a\n${'x'.repeat(20)}`, 10)).toEqual([
    `a\n${'x'.repeat(8)}`,
    'x'.repeat(10),
    'xx',
  ]);
});

test('whatever is in it, parts keep their bound, split no character, and are together the whole', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', 'é', '漢', '🚀', '\n', ' '),
    maxLength: 200,
  });
  fc.assert(
    fc.property(texts, fc.integer({ min: 4, max: 40 }), (body, bytes) => {
      const parts = cutParts(body, bytes);
      expect(parts.join('')).toBe(body);
      for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(bytes);
    }),
  );
});
