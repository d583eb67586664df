import { expect, test } from 'vitest';
import { isInRange, parseVersionRange } from './version-range.ts';

test('every part of a range must hold, and missing parts of a version are zeros', () => {
  const cases: readonly [range: string, version: string, expected: boolean][] = [
    ['>=2.1.0 <3', '2.1.0', true],
    ['>=2.1.0 <3', '2.1', true],
    ['>=2.1.0 <3', '2.0.999', false],
    ['>=2.1.0 <3', '2.10.1', true],
    ['>=2.1.0 <3', '3.0.0', false],
    ['<=2.1', '2.1.0', true],
    ['<=2.1', '2.1.1', false],
    ['>2.1', '2.1.0', false],
    ['2.1.325', '2.1.325', true],
    ['=2.1.325', '2.1.326', false],
    ['>=1', 'v2.1.3-beta.4 (build 9)', true],
  ];
  for (const [text, version, expected] of cases) {
    const range = parseVersionRange(text);
    expect([text, version, range && isInRange(range, version)]).toEqual([text, version, expected]);
  }
});

test('what is not a range is not taken for one', () => {
  for (const text of ['', '*', 'latest', '>= 2', '2.x', '>=2.1.0 <', '^2.1', '1.2.3.4.5']) {
    expect([text, parseVersionRange(text)]).toEqual([text, undefined]);
  }
});
