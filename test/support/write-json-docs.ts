import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { writeJsonDocs } from './json-docs.ts';

/** `npm run docs:json`: writes docs/json.md from the schemas. */
const path = 'docs/json.md';
const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
const after = writeJsonDocs();
if (after !== before) writeFileSync(path, after);
process.stdout.write(after === before ? `${path} is up to date\n` : `${path} is written anew\n`);
