import { readFileSync, writeFileSync } from 'node:fs';
import { openProviderShelf } from '../../src/providers/registry.ts';
import { cliNames } from '../lab/versions.ts';
import { pagePath, writeCliPage } from './cli-pages.ts';

/** `npm run docs:clis`: brings the parts of docs/clis that come from data up to date. */
const shelf = openProviderShelf({ state: '', config: '' });
for (const name of cliNames) {
  const path = pagePath(name);
  const before = readFileSync(path, 'utf8');
  const after = writeCliPage(before, name, await shelf.find(name));
  if (after !== before) writeFileSync(path, after);
  process.stdout.write(after === before ? `${path} is up to date\n` : `${path} is written anew\n`);
}
