import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** How long the README's line took, for the page. */
const timesFile = 'install.json';

export interface InstallTimes {
  readonly line: string;
  readonly cloneSeconds: number;
  readonly installSeconds: number;
}

/** As the README says: in a clone, into a prefix that nobody has used. */
export function installFromClone(place: string): void {
  const clone = join(place, 'signalbox');
  const cloneSeconds = timed(() =>
    execFileSync('git', ['clone', '--quiet', resolve('.'), clone], { stdio: 'inherit' }),
  );
  const page = readFileSync(join(clone, 'README.md'), 'utf8');
  const [, line] = /^\$ (npm ci .+)$/m.exec(page) ?? [];
  if (line === undefined) throw new Error('the README has no line that installs');
  const env = { ...process.env, npm_config_prefix: join(place, 'prefix') };
  const installSeconds = timed(() => {
    const { status } = spawnSync('bash', ['-c', line], { cwd: clone, env, stdio: 'inherit' });
    if (status !== 0) throw new Error(`the README's line ended with ${status}: ${line}`);
  });
  const times: InstallTimes = { line, cloneSeconds, installSeconds };
  writeFileSync(join(place, timesFile), JSON.stringify(times));
}

export function readInstallTimes(place: string): InstallTimes {
  return JSON.parse(readFileSync(join(place, timesFile), 'utf8')) as InstallTimes;
}

function timed(act: () => unknown): number {
  const startedAt = performance.now();
  act();
  return (performance.now() - startedAt) / 1000;
}
