import { readFileSync, writeFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { findLongComments, maxColumns, wrapComments } from './comments.mjs';
import { listSources } from './list-sources.mjs';
import { scanSource } from './scan-source.mjs';

/**
 * `npm run format:comments`: wraps comments at 100 columns, and nothing else: a file whose code or
 * words would change is left as it is. So is one that would grow beyond the limit of biome.json, to
 * be split by hand.
 */
const maxLines = 300;
let written = 0;
for (const path of listSources()) {
  const before = readFileSync(path, 'utf8');
  const after = wrapComments(before);
  const trouble = after === before ? undefined : findTrouble(path, before, after);
  if (trouble !== undefined) report(`${path}: ${trouble}; left as it is`);
  else if (after !== before) {
    writeFileSync(path, after);
    written++;
  }
  const left = trouble === undefined ? findLongComments(after) : [];
  for (const { line } of left)
    report(`${path}:${line}: a table, drawing or sample; wrap it by hand`);
}
console.log(`${written} files have their comments wrapped at ${maxColumns} columns`);

function findTrouble(path, before, after) {
  if (minify(path, before) !== minify(path, after)) return 'its code would change';
  if (wordsOf(before) !== wordsOf(after)) return 'words of its comments would change';
  const count = after.split('\n').filter((line) => line.trim() !== '').length;
  return count > maxLines ? `it would have ${count} lines, and ${maxLines} are allowed` : undefined;
}

function minify(path, text) {
  const loader = path.endsWith('ts') ? 'ts' : 'js';
  return transformSync(text, { loader, minify: true, legalComments: 'none' }).code;
}

function wordsOf(text) {
  return scanSource(text)
    .filter(({ kind }) => kind === 'line' || kind === 'block')
    .map(({ start, end }) => text.slice(start, end).replaceAll(/^\/[/*]+|\*\/$/g, ''))
    .flatMap((comment) => comment.replaceAll(/^\s*\*/gm, '').split(/\s+/))
    .filter((word) => word !== '')
    .join(' ');
}

function report(text) {
  console.error(text);
  process.exitCode = 1;
}
