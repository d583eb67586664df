import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export interface Programs {
  /** The command line, as users start it. */
  readonly cli: string;
  /** A worker's file by its name. */
  worker(name: string): string;
}

/**
 * Builds the program that users start, and workers that hold the client library, into a folder of
 * the run's own: somebody who builds meanwhile does not pull the program from under it. The workers
 * are bundled too, because they are killed and started several times a second and tsx alone takes
 * longer to load than most of them live.
 */
export async function buildPrograms(folder: string, workers: readonly URL[]): Promise<Programs> {
  mkdirSync(folder, { recursive: true });
  // The build works on the current folder.
  for (const name of ['src', 'web', 'docs', 'node_modules'])
    symlinkSync(join(root, name), join(folder, name));
  await run(process.execPath, [join(root, 'scripts', 'build.mjs')], { cwd: folder });
  const outdir = join(folder, 'dist');
  await build({
    entryPoints: workers.map((worker) => fileURLToPath(worker)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  return { cli: join(outdir, 'signalbox.cjs'), worker: (name) => join(outdir, `${name}.mjs`) };
}
