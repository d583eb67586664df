import { expect, test, vi } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { findVersionWarning } from '../../src/providers/find-version-warning.ts';
import { failingFiles } from '../support/failing-files.ts';
import { tempHome } from '../support/home.ts';

vi.mock('node:fs', async (original) => {
  const { failingFiles: files } = await import('../support/failing-files.ts');
  return files.wrapSync(await original<typeof import('node:fs')>());
});

test('rule 41: what the lab has tried is read again after an error, and its advice fails nothing', async () => {
  const folders = findFolders({ SIGNALBOX_HOME: tempHome() });
  const warn = () => findVersionWarning(folders, 'codex', '0.998.0');
  const root = process.cwd();
  for (const at of [
    'readFileSync /src/providers/codex/detector.yaml',
    'readFileSync /docs/results/versions.json',
  ]) {
    failingFiles.begin(root, { failure: { at, code: 'EMFILE' } });
    expect([at, await warn()]).toEqual([at, undefined]);
    expect([at, failingFiles.end().hasFailed]).toEqual([at, true]);
  }
  expect((await warn())?.what).toMatch(/^Codex 0\.998\.0 has not been tried/);
});
