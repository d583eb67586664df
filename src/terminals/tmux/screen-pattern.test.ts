import { expect, test } from 'vitest';
import type { ScreenPattern } from '../writing.ts';
import { rowOf, titleHas } from './screen-pattern.ts';

test('words are looked for as they are: no wildcard, format, style, time or shell’s command', () => {
  expect(rowOf('Do you want to proceed?')).toBe('#{C:Do you want to proceed\\?}');
  expect(rowOf('a*b[c]\\d')).toBe('#{C:a\\*b\\[c]\\\\d}');
  expect(rowOf('#(x) #{y} #[z] %H, }')).toBe('#{C:[##](x) [##]{y#} [##]\\[z] [%]H#, #}}');
  expect(rowOf({ regex: '^ ─{20,}$' })).toBe('#{C/r:^ ─{20#,#}$}');
});

test('so is a title, by the same signs', () => {
  expect(titleHas({ regex: '^(✳|✋), ' })).toBe('#{m/r:^(✳|✋)#, ,#{pane_title}}');
  for (const regex of ['', '(', '#', '%', 'a\nb']) expect(() => titleHas({ regex })).toThrow();
});

test.each<ScreenPattern>([
  '',
  'a blank at its end ',
  'two\nrows',
  { regex: '' },
  { regex: '(never closed' },
  { regex: 'a #{format}' },
  { regex: '%H' },
])('what tmux would not look for as it is written is refused: %j', (pattern) => {
  expect(() => rowOf(pattern)).toThrow();
});
