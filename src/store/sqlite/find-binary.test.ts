import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { findBinary } from './find-binary.ts';

/** As if signalbox were installed in a folder of its own. */
function openInstallation(files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-binary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of files) {
    const path = join(folder, 'node_modules', 'better-sqlite3', file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '{}');
  }
  return pathToFileURL(join(folder, 'dist', 'signalbox.cjs')).href;
}

test('the binary is found beside the installation', () => {
  const from = openInstallation(['package.json', 'build/Release/better_sqlite3.node']);
  expect(findBinary(from)).toMatch(/better-sqlite3\/build\/Release\/better_sqlite3\.node$/);
});

test.each([
  ['that npm left out', [], /could neither download nor compile it/],
  ['whose install script did not run', ['package.json'], /has not run its install script/],
])('of a package %s it is said what is missing and how to get it', (_what, files, why) => {
  const from = openInstallation(files);
  expect(() => findBinary(from)).toThrow(why);
  expect(() => findBinary(from)).toThrow(
    expect.objectContaining({
      code: 'sqlite-missing',
      next: expect.stringMatching(/^To compile it, .*C\+\+ compiler: .*\.\nThen install .*\.$/),
    }),
  );
});
