import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openProviderShelf } from '../src/providers/registry.ts';
import { cliNames } from './lab/versions.ts';
import { pagePath, writeCliPage } from './support/cli-pages.ts';

test('docs/clis says what the data of providers and lab say; if not, run `npm run docs:clis`', async () => {
  const shelf = openProviderShelf({ state: '', config: '' });
  for (const name of cliNames) {
    const page = readFileSync(pagePath(name), 'utf8');
    expect(page).toBe(writeCliPage(page, name, await shelf.find(name)));
  }
});
