import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The hook client for Node, as arguments for it. */
export function hookProgram(): string[] {
  return findProgram('hook.cjs', ['client', 'hook', 'main.ts']);
}

/**
 * A program of ours as arguments for Node: beside the bundle in the package; from source it needs
 * tsx.
 */
export function findProgram(bundle: string, source: readonly string[]): string[] {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  if (!here.endsWith('.ts')) return [join(folder, bundle)];
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return ['--import', loader, join(folder, '..', ...source)];
}

/** The page as it was built: beside the bundle, where `npm run build` puts it. */
export function pageFolder(): string {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  return here.endsWith('.ts') ? join(folder, '../../dist/dashboard') : join(folder, 'dashboard');
}
