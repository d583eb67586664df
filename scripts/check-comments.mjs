import { readFileSync } from 'node:fs';
import { findLongComments, maxColumns } from './comments.mjs';
import { listSources } from './list-sources.mjs';

/** A part of `npm run check`: biome wraps code, and leaves comments as wide as they are. */
const long = listSources().flatMap((path) =>
  findLongComments(readFileSync(path, 'utf8')).map(({ line }) => `${path}:${line}`),
);
if (long.length > 0) {
  console.error(
    `Comments of more than ${maxColumns} columns (npm run format:comments wraps them):`,
  );
  console.error(long.slice(0, 50).join('\n'));
  if (long.length > 50) console.error(`and ${long.length - 50} more`);
  process.exitCode = 1;
}
