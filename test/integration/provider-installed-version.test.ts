import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInstalledVersion } from '../../src/providers/installed-version.ts';
import { tempHome } from '../support/home.ts';

test('the version is that of the package behind the link, and the program is not run', async () => {
  const { program, link, folder } = install('#!/bin/sh\ntouch "$0.ran"; echo 9.9.9\n');
  writePackage(folder, '@some/cli', '1.2.3');
  expect(await readInstalledVersion(link, '@some/cli')).toBe('1.2.3');
  expect(existsSync(`${program}.ran`)).toBe(false);
});

test("without a package of that name the program is asked; another package's file says nothing", async () => {
  const { link, folder } = install('#!/bin/sh\necho "cli 9.9.9-beta.1 (build)"\n');
  writePackage(folder, '@some/workspace', '1.2.3');
  expect(await readInstalledVersion(link, '@some/cli')).toBe('9.9.9-beta.1');
});

test('an update is noticed: the file behind the path is another one', async () => {
  const { program, link, folder } = install('#!/bin/sh\n');
  writePackage(folder, '@some/cli', '1.2.3');
  expect(await readInstalledVersion(link, '@some/cli')).toBe('1.2.3');
  writePackage(folder, '@some/cli', '1.3.0');
  writeFileSync(program, '#!/bin/sh\n# the new one\n');
  expect(await readInstalledVersion(link, '@some/cli')).toBe('1.3.0');
});

test.each([
  ['hangs', '#!/bin/sh\nexec sleep 60\n'],
  ['fails', '#!/bin/sh\nexit 1\n'],
  ['says something else', '#!/bin/sh\necho hello\n'],
  ['floods', '#!/bin/sh\nexec yes\n'],
])('a program that %s has no known version, soon', async (_, script) => {
  expect(await readInstalledVersion(install(script).link, '@some/cli')).toBeUndefined();
});

test('what could not be told once is asked again', async () => {
  const { program, link } = install('#!/bin/sh\n[ -e "$0.ready" ] && echo 1.0.0\n');
  expect(await readInstalledVersion(link, '@some/cli')).toBeUndefined();
  writeFileSync(`${program}.ready`, '');
  expect(await readInstalledVersion(link, '@some/cli')).toBe('1.0.0');
});

/** A package as npm lays it out, with its link on the PATH. */
function install(script: string) {
  const home = tempHome();
  const folder = join(home, 'node_modules', 'cli');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const program = join(folder, 'bin', 'cli');
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  const link = join(home, 'cli');
  symlinkSync(program, link);
  return { folder, program, link };
}

function writePackage(folder: string, name: string, version: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }));
}
