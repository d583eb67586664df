import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { isNewEnough, oldestNode } from './node-version.ts';

test('the oldest Node.js is the one that package.json names', () => {
  expect(packageJson.engines.node).toBe(`>=${oldestNode}`);
});

test.each([
  ['18.20.4', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['20.20.1', true],
  ['22.1.0', true],
  ['24.0.0', true],
])('Node.js %s is new enough: %s', (version, isEnough) => {
  expect(isNewEnough(version)).toBe(isEnough);
});
