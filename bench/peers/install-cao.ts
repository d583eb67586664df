import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../test/lab/cache.ts';
import { isNetworkClosed } from '../../test/lab/network.ts';

export const caoVersion = '2.5.4';
const caoPackage = 'cli-agent-orchestrator';

/** CAO's programs, or why they cannot be had. */
export type Cao = { readonly bin: string } | { readonly why: string };

/**
 * CAO from PyPI, in a virtual environment of its own in the lab's cache; installed once. Installing
 * runs no program of CAO's.
 */
export function installCao(say: (text: string) => void): Cao {
  const folder = join(cacheFolder(), `${caoPackage}-${caoVersion}`);
  const bin = join(folder, 'bin');
  // Written last: half an installation is made anew.
  const marker = join(folder, 'whole');
  if (existsSync(marker)) return { bin };
  if (isNetworkClosed()) return { why: 'it is not installed, and no network leads to PyPI' };
  if (spawnSync('python3', ['--version']).status !== 0) return { why: 'there is no python3' };
  say(`installing ${caoPackage} ${caoVersion} from PyPI into ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(cacheFolder(), { recursive: true });
  const venv = run('python3', ['-m', 'venv', folder]);
  if (venv) return { why: `python3 makes no virtual environment (Debian: python3-venv): ${venv}` };
  const wanted = `${caoPackage}==${caoVersion}`;
  const pip = run(join(bin, 'pip'), ['install', '--quiet', '--retries', '1', wanted]);
  if (pip) return { why: `${wanted} cannot be installed from PyPI: ${pip}` };
  writeFileSync(marker, '');
  return { bin };
}

/** Why it failed, as its last line says. */
function run(command: string, args: readonly string[]): string | undefined {
  const ran = spawnSync(command, args, { encoding: 'utf8', timeout: 600_000 });
  if (ran.status === 0) return undefined;
  const said = `${ran.stdout ?? ''}\n${ran.stderr ?? ''}`.trim().split('\n');
  return said.at(-1) || `exit ${ran.status}`;
}
