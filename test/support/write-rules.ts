import { readFileSync, writeFileSync } from 'node:fs';
import { findGuards, writeGuards } from './rule-guards.ts';
import { readSources } from './rule-sources.ts';

/** `npm run docs:rules`: brings the lists of tests in docs/rules.md up to date. */
const path = 'docs/rules.md';
const before = readFileSync(path, 'utf8');
const after = writeGuards(before, findGuards(readSources()));
if (after !== before) writeFileSync(path, after);
process.stdout.write(after === before ? `${path} is up to date\n` : `${path} is written anew\n`);
