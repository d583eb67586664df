import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quote } from './quoting.ts';

test('a quoted word is one line and says nothing to the parser but its text', () => {
  expect(quote('a "b" $c \\d ~e\n')).toBe('"a \\"b\\" \\$c \\\\d \\176e\\012"');
  expect(quote("#{pid} #(x) ; {} 'é' 🚂")).toBe('"#{pid} #(x) ; {} \'é\' 🚂"');
});

test('whatever the text, undoing the escapes gives it back and no bare quote, dollar or line end is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      if (text.includes('\0')) return;
      const inner = quote(text).slice(1, -1);
      expect(inner.replace(/\\[0-7]{3}|\\[\\"$]/g, '')).not.toMatch(/[\\"$~\n\r]/);
      const undone = inner.replace(/\\([0-7]{3})|\\([\\"$])/g, (_, octal, kept) =>
        octal ? String.fromCharCode(Number.parseInt(octal, 8)) : kept,
      );
      expect(undone).toBe(text);
    }),
  );
});

test('NUL is refused: tmux would cut the word there', () => {
  expect(() => quote('a\0b')).toThrow(RangeError);
});
