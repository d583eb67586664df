import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** One file of the page, whole in memory. */
export interface Asset {
  readonly body: Buffer;
  readonly type: string;
  /** Its name has a hash of what it holds. */
  readonly isImmutable: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * The page as it was built, by the paths under which it is asked for. It is read once: no path of a
 * request ever reaches the disk. Empty where this build has none.
 */
export function loadAssets(folder: string): ReadonlyMap<string, Asset> {
  const found = new Map<string, Asset>();
  for (const name of list(join(folder, 'assets'))) {
    add(found, `/assets/${name}`, join(folder, 'assets', name), true);
  }
  for (const name of list(folder)) {
    add(found, name === 'index.html' ? '/' : `/${name}`, join(folder, name), false);
  }
  return found;
}

function add(found: Map<string, Asset>, path: string, file: string, isImmutable: boolean): void {
  const type = types[extname(file)];
  if (type === undefined) return;
  found.set(path, { body: readFileSync(file), type, isImmutable });
}

function list(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
