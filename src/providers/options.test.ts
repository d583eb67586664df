import { expect, test } from 'vitest';
import { dropPrompt } from './options.ts';

test('rule 37: a first prompt is not given again by a restart; options and their values are', () => {
  const cases: readonly [readonly string[], readonly string[]][] = [
    [['Delete the old branch'], []],
    [
      ['--model', 'x', 'Delete it'],
      ['--model', 'x'],
    ],
    [['--model=x', 'Delete it'], ['--model=x']],
    [['--verbose', 'Delete it'], ['--verbose']],
    [
      ['--add-dir', '../a', '--', 'Delete it'],
      ['--add-dir', '../a'],
    ],
    [[], []],
  ];
  for (const [given, kept] of cases) expect(dropPrompt(given, ['--verbose'])).toEqual(kept);
});
