import { expect, test } from 'vitest';
import { compareVersions } from './compare-versions.ts';

test('versions are ordered as semver says', () => {
  const ordered = [
    '0.1.0',
    '0.2.0-alpha',
    '0.2.0-alpha.1',
    '0.2.0-alpha.beta',
    '0.2.0-beta.2',
    '0.2.0-beta.11',
    '0.2.0-rc.1',
    '0.2.0',
    '0.10.0',
    '1.0.0',
  ];
  const shuffled = ordered.toSorted((a, b) => (a < b ? 1 : -1));
  expect(shuffled.toSorted(compareVersions)).toEqual(ordered);
});

test.each([
  ['1.0.0+one', '1.0.0+two'],
  ['unknown', '1.0.0'],
  ['1.0.0', ''],
])('neither %s nor %s is older', (one, other) => {
  expect(compareVersions(one, other)).toBe(0);
});
