import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  capabilitiesFile,
  gridFile,
  readResults,
  resultsFile,
  writeCapabilities,
} from './capabilities.ts';
import { writeGrid } from './table.ts';

test('E11: docs/capabilities.md says what the lab has seen; if not, run `npm run lab:capabilities`', async () => {
  expect(readFileSync(capabilitiesFile, 'utf8')).toBe(await writeCapabilities(readResults()));
});

test('E11: the grid in docs/results is that of the results', () => {
  const results = readResults();
  expect(readFileSync(gridFile(results), 'utf8')).toBe(writeGrid(results, []));
});

test('E11: results hold nothing of the machine that made them', () => {
  expect(readFileSync(resultsFile, 'utf8')).not.toMatch(/\/(tmp|home|root|Users|work)\//);
});
