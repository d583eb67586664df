import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../lab/cache.ts';

const version = '4.32.5';

/**
 * schemathesis, in a virtual environment of its own in the lab's cache; installed once. Otherwise
 * why it cannot be had.
 */
export function installSchemathesis(): { readonly program: string } | { readonly why: string } {
  const folder = join(cacheFolder(), `schemathesis-${version}`);
  const program = join(folder, 'bin', 'schemathesis');
  // Written last: half an installation is made anew.
  const marker = join(folder, 'whole');
  if (existsSync(marker)) return { program };
  if (spawnSync('python3', ['--version']).status !== 0) return { why: 'there is no python3' };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(cacheFolder(), { recursive: true });
  const venv = run('python3', ['-m', 'venv', folder]);
  if (venv) return { why: `python3 makes no virtual environment (Debian: python3-venv): ${venv}` };
  const pip = run(join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${version}`]);
  if (pip) return { why: `schemathesis ${version} cannot be installed from PyPI: ${pip}` };
  writeFileSync(marker, '');
  return { program };
}

/** Why it failed, as its last line says. */
function run(command: string, args: readonly string[]): string | undefined {
  const ran = spawnSync(command, args, { encoding: 'utf8', timeout: 300_000 });
  if (ran.status === 0) return undefined;
  const said = `${ran.stdout ?? ''}\n${ran.stderr ?? ''}`.trim().split('\n');
  return said.at(-1) || `exit ${ran.status}`;
}
