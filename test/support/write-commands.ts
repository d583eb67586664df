import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { writeCommandPage } from './command-page.ts';

/** `npm run docs:commands`: brings docs/commands.md up to date. */
const path = 'docs/commands.md';
const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
const after = writeCommandPage();
if (after !== before) writeFileSync(path, after);
process.stdout.write(after === before ? `${path} is up to date\n` : `${path} is written anew\n`);
