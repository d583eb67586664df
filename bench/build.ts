import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'dist', 'signalbox.cjs');

/**
 * What is measured is the source as it stands. Not always: a build takes the program away from
 * others for a moment.
 */
export function buildIfStale(): void {
  const builtAt = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isStale = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => statSync(join(root, 'src', name), { throwIfNoEntry: false }))
    .some((entry) => entry?.isFile() && entry.mtimeMs > builtAt);
  if (isStale) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'pipe' });
}
