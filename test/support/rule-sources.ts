import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Source {
  readonly path: string;
  readonly text: string;
}

/**
 * Everything in which people of this project write: code, tests, documents. Recordings are others'
 * words.
 */
export function readSources(): readonly Source[] {
  const below = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return [...readdirSync('.').filter((name) => name.endsWith('.md')), ...below]
    .filter((path) => written.test(path) && !recorded.test(path) && !invented.includes(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

const folders = ['src', 'test', 'bench', 'scripts', 'docs', 'skills'];
const written = /\.(?:c|cjs|md|mjs|mts|sh|sql|ts|yaml)$/;
/** Their numbers are made up. */
const invented = ['test/citations.test.ts', 'test/rules.test.ts'];
const recorded = /^test\/screens\/|\/recordings\//;
