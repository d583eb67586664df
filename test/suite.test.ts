import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The tests and the files that they share. */
const files = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => (path.startsWith('test/') ? path.endsWith('.ts') : path.endsWith('.test.ts')))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

test('docs/testing.md lists every test that is whole only in full, and no other', () => {
  const [, section = ''] = readFileSync('docs/testing.md', 'utf8').split(
    '## What runs only in full',
  );
  const listed = [...section.matchAll(/^\| \[[^\]]+\]\(\.\.\/([^)]+)\)/gm)].map(([, path]) => path);
  const partial = files.filter(
    ({ path, text }) => path.endsWith('.full.test.ts') || /from '.+\/support\/sweep.ts'/.test(text),
  );
  expect(listed.toSorted()).toEqual(partial.map(({ path }) => path).sort());
});

test('a test mocks no module unless its name says so: the files of a project share their modules', () => {
  const sharing = files.filter(
    ({ path }) => path.endsWith('.test.ts') && !path.endsWith('.alone.test.ts'),
  );
  expect(sharing.length).toBeGreaterThan(400);
  const mock = /\bvi\.(?:do)?[mM]ock\(|\bresetModules\b/;
  const own = 'test/suite.test.ts';
  expect(sharing.filter(({ path, text }) => path !== own && mock.test(text))).toEqual([]);
});
