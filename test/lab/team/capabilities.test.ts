import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { capabilitiesFile, readResults, resultsFile, writeCapabilities } from './capabilities.ts';

test('E11: docs/capabilities.md says what the lab has seen; if not, run `npm run lab:capabilities`', async () => {
  expect(readFileSync(capabilitiesFile, 'utf8')).toBe(await writeCapabilities(readResults()));
});

test('E11: results hold nothing of the machine that made them', () => {
  expect(readFileSync(resultsFile, 'utf8')).not.toMatch(/\/(tmp|home|root|Users|work)\//);
});
