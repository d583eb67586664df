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

test('docs/testing.md lists every file of which a part runs only in full by its name or a sweep, and no file without one', () => {
  const [, section = ''] = readFileSync('docs/testing.md', 'utf8').split(
    '## What runs only in full',
  );
  const listed = [...section.matchAll(/^\| \[[^\]]+\]\(\.\.\/([^)]+)\)/gm)].map(([, path]) => path);
  const must = files.filter(
    ({ path, text }) => path.endsWith('.full.test.ts') || /from '.+\/support\/sweep.ts'/.test(text),
  );
  const may = files.filter(({ text }) => /tags: \['full'\]/.test(text));
  expect(must.length).toBeGreaterThan(0);
  expect(new Set(listed).size).toBe(listed.length);
  expect(must.map(({ path }) => path).filter((path) => !listed.includes(path))).toEqual([]);
  const known = [...must, ...may].map(({ path }) => path);
  expect(listed.filter((path) => !known.includes(path ?? ''))).toEqual([]);
});

test('no file of code or tests has more than 300 lines that are not blank, but for what a script makes', () => {
  const sources = ['src', 'test', 'bench', 'scripts', 'web'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => /\.(?:ts|tsx|css|mjs)$/.test(path)),
  );
  expect(sources.length).toBeGreaterThan(1000);
  const long = sources.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const count = text.split('\n').filter((line) => line.trim() !== '').length;
    return count > 300 && !text.startsWith('// Made by ') ? [`${path}: ${count}`] : [];
  });
  expect(long).toEqual([]);
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
