import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { copiedFolders, mutantsOf, readOnce } from '../torture/mutate.ts';

// The hunt itself takes half an hour (`npm run torture -- mutants`). These tests tell at once when
// a change of the source has left it unable to begin.

const root = new URL('../..', import.meta.url).pathname;

test('the place of every mutant stands once in its file', async () => {
  const all = Object.values(mutantsOf).flat();
  expect(all.length).toBeGreaterThan(0);
  await Promise.all(all.map((mutant) => readOnce(root, mutant)));
});

test('a copy of the source holds all that a hunt loads', () => {
  const loaded = importsOf('test/simulation/hunt.ts');
  expect(loaded.size).toBeGreaterThan(100);
  const left = [...loaded].filter(
    (file) => !copiedFolders.some((one) => file.startsWith(`${one}/`)),
  );
  expect(left).toEqual([]);
});

function importsOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  for (const [, kind, path = ''] of text.matchAll(/^(import|export)\b[^;]*?from '(\.[^']+)'/gm))
    if (kind !== undefined) importsOf(relative(root, join(root, dirname(file), path)), found);
  return found;
}
