import { expect, test } from 'vitest';
import { dropOptions, dropPrompt, findOption, hasOption } from './options.ts';

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

test('an option of a person is found in both spellings, and not behind a bare --', () => {
  expect(hasOption(['--resume', 'x'], ['--resume', '-r'])).toBe(true);
  expect(hasOption(['--resume=x'], ['--resume', '-r'])).toBe(true);
  expect(hasOption(['-r', 'x'], ['--resume', '-r'])).toBe(true);
  expect(hasOption(['--resumed'], ['--resume', '-r'])).toBe(false);
  expect(hasOption(['--', '--resume'], ['--resume'])).toBe(false);
});

test('the value of an option follows it or stands behind the equals sign', () => {
  expect(findOption(['-v', '--session-id', 'a=b'], ['--session-id'])).toBe('a=b');
  expect(findOption(['--session-id=a=b'], ['--session-id'])).toBe('a=b');
  expect(findOption(['-v'], ['--session-id'])).toBeUndefined();
});

test('dropped options take their values along and leave everything else in its order', () => {
  const args = ['--resume', 'x', '-v', '--continue', 'say', '--resume=y', '--', '--resume'];
  expect(dropOptions(args, ['--resume', '--continue'], ['--resume'])).toEqual([
    '-v',
    'say',
    '--',
    '--resume',
  ]);
  expect(dropOptions(['--resume', '--yolo'], ['--resume'])).toEqual(['--yolo']);
});
