import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const variable = 'SIGNALBOX_SHORT_SPANS';

test('the published build does not know the variable that shortens our spans; the test build does', () => {
  expect(programsWith(variable, 'dist')).toEqual([]);
  execFileSync('node', ['scripts/build.mjs', '--test-build']);
  expect(programsWith(variable, 'node_modules/.cache/signalbox-test-build')).toContain(
    'daemon.cjs',
  );
});

test('a test build leaves the published one as it is', { tags: ['full'] }, () => {
  const before = readFileSync('dist/daemon.cjs', 'utf8');
  execFileSync('node', ['scripts/build.mjs', '--test-build']);
  expect(readFileSync('dist/daemon.cjs', 'utf8')).toBe(before);
});

test('only the daemon loads zod: commands, hooks and tools over stdio know the schemas as types', () => {
  expect(programsWith('node_modules/zod/', 'dist').toSorted()).toEqual([
    'daemon.cjs',
    'mcp-sdk.cjs',
  ]);
});

function programsWith(text: string, folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.cjs'))
    .filter((file) => readFileSync(join(folder, file), 'utf8').includes(text));
}
