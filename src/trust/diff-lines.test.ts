import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

test('what went and what came stands under each other, with two lines around it', () => {
  const before = ['1', '2', '3', '4', '5', '6', 'old', '8', '9', '10', '11'];
  const after = before.map((line) => (line === 'old' ? 'new' : line));
  expect(diffLines(before.join('\n'), after.join('\n'))).toEqual([
    ...[' …', ' 5', ' 6', '-old', '+new', ' 8', ' 9', ' …'],
  ]);
  expect(diffLines('a\nb', 'a\nb\nc')).toEqual([' a', ' b', '+c']);
});

test('no line that went or came is ever left out', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const lines = diffLines(a.join('\n'), b.join('\n'));
      const count = (all: readonly string[], line: string) =>
        all.filter((one) => one === line).length;
      // In each text a line stands as often as the other has it, and what the difference adds or
      // takes.
      const [before, after] = [a.join('\n').split('\n'), b.join('\n').split('\n')];
      for (const line of new Set([...before, ...after])) {
        const grown = count(lines, `+${line}`) - count(lines, `-${line}`);
        expect(count(after, line) - count(before, line)).toBe(grown);
      }
    }),
  );
});

test('texts of many thousand lines are shown as a whole, not compared for ever', () => {
  const before = Array.from({ length: 5000 }, (_, n) => `a${n}`).join('\n');
  const after = Array.from({ length: 5000 }, (_, n) => `b${n}`).join('\n');
  expect(diffLines(before, after)).toHaveLength(10_000);
});
