import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every program of ours, in TypeScript and JavaScript; recordings of real CLIs are not ours. */
export function listSources() {
  return ['src', 'test', 'bench', 'scripts', 'web']
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((path) => /\.(?:ts|tsx|mts|mjs|cjs)$/.test(path))
    .filter((path) => !/^test\/screens\/|\/recordings\//.test(path))
    .sort();
}
