import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The hook client for Node, as arguments for it: beside the bundle in the package; from source it needs tsx. */
export function hookProgram(): string[] {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  if (!here.endsWith('.ts')) return [join(folder, 'hook.cjs')];
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return ['--import', loader, join(folder, '..', 'client', 'hook', 'main.ts')];
}
