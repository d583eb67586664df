import fc from 'fast-check';
import { expect, test } from 'vitest';
import { neutralise, neutraliseJson } from '../messages/neutralise.ts';
import { ModelLines } from './model-lines.ts';

const words = [
  ...['<', '</', 'system-reminder>', 'signalbox', ' ', '\n', '--', '-', ' end of msg_1', 'mark_'],
  ...['0123456789abcdefg', '❯ ', 'ｓystem-reminder', '\u{1d42c}ystem-reminder>', 'x', '"', '\\'],
];
const text = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join(''));

test('rule 47: however a text is cut into pieces, a model reads what it would read in one', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { maxLength: 6 }), (all, cuts) => {
      const lines = new ModelLines();
      const places = [0, ...cuts.map((at) => at % (all.length + 1)), all.length];
      const sorted = places.toSorted((a, b) => a - b);
      const pieces = sorted.slice(1).map((to, i) => all.slice(sorted[i], to));
      const read = pieces.map((piece) => lines.read(piece)).join('') + lines.end();
      expect(neutralise(read)).toBe(read);
      expect(read.replace(/\n$/, '')).toBe(neutralise(all).replace(/\n$/, ''));
    }),
    { numRuns: 2000 },
  );
});

test('a line that never ends is passed on, and what follows completes nothing in it', () => {
  const lines = new ModelLines();
  const read = lines.read(`${'x'.repeat(70_000)}<`) + lines.read('system-reminder>\n');
  expect(read).toBe(`${'x'.repeat(70_000)}<·\nsystem-reminder>\n`);
  expect(neutralise(read)).toBe(read);
});

test('rule 47: a document for a model is the same document, and forges nothing as it stands', () => {
  fc.assert(
    fc.property(text, (said) => {
      const json = neutraliseJson(JSON.stringify({ said, [said]: [said] }));
      expect(JSON.parse(json)).toEqual({ said, [said]: [said] });
      expect(neutralise(json)).toBe(json);
    }),
    { numRuns: 2000 },
  );
});
