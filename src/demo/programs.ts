import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The command of another program of the demo: beside the bundle in the package; from source, run as
 * this process was.
 */
export function findProgram(name: 'agent' | 'janitor'): readonly string[] {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  return here.endsWith('.ts')
    ? [process.execPath, ...process.execArgv, join(folder, `${name}.ts`)]
    : [process.execPath, join(folder, `demo-${name}.cjs`)];
}
