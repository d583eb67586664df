import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CacheEntry, marker } from './cache.ts';
import { runToEnd } from './run-to-end.ts';

/**
 * An entry is built in a stage beside its place and renamed onto it as the last act. A rename onto
 * a folder that is not empty fails, so of two installers that run at once the first one wins and
 * the second throws its stage away.
 */
export interface InstallOrder {
  readonly entry: CacheEntry;
  readonly package: string;
  readonly version: string;
  /** What npm leaves undone. */
  readonly finish: (stage: string) => Promise<void>;
}

export async function installInto(order: InstallOrder): Promise<'present' | 'installed' | 'raced'> {
  const { entry } = order;
  if (entry.isInstalled()) return 'present';
  const stage = mkdtempSync(join(dirname(entry.folder), `${stagePrefix}${entry.label}-`));
  try {
    await npmInstall(stage, order.package, order.version);
    await order.finish(stage);
    const record = { package: order.package, version: order.version };
    writeFileSync(join(stage, marker), `${JSON.stringify(record)}\n`);
    return place(stage, entry);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * Installs one package at an exact version, with a home of its own: install scripts leave folders
 * in it.
 */
export async function npmInstall(prefix: string, name: string, version: string): Promise<void> {
  const home = join(prefix, '.install-home');
  mkdirSync(home, { recursive: true });
  // npm walks up to the next package.json unless it finds one here.
  if (!existsSync(join(prefix, 'package.json'))) {
    writeFileSync(join(prefix, 'package.json'), '{"private":true}\n');
  }
  const args = ['install', '--prefix', prefix, '--save-exact', '--no-audit', '--no-fund'];
  // Without a network npm's own patience is more than five minutes, without a word.
  args.push('--fetch-retries=2', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=5000');
  await runToEnd(['npm', ...args, '--loglevel=error', `${name}@${version}`], {
    cwd: prefix,
    deadlineMs: 600_000,
    env: {
      ...withoutNpmOfOurs(process.env),
      npm_config_userconfig: join(homedir(), '.npmrc'),
      npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
      HOME: home,
    },
  });
  rmSync(home, { recursive: true, force: true });
}

/** A killed installer leaves its stage; nobody installs for an hour. */
export function sweepStages(cache: string): void {
  const hourMs = 3_600_000;
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const isOld = Date.now() - statSync(path).mtimeMs > hourMs;
    if (name.startsWith(stagePrefix) && isOld) rmSync(path, { recursive: true, force: true });
  }
}

const stagePrefix = '.stage-';

function place(stage: string, entry: CacheEntry): 'installed' | 'raced' {
  try {
    renameSync(stage, entry.folder);
    return 'installed';
  } catch (error) {
    if (entry.isInstalled()) return 'raced';
    // Not removed here: between a look and a removal another installer may have finished it.
    throw new Error(`${entry.folder} is there, but not whole; remove it and try again`, {
      cause: error,
    });
  }
}

/**
 * Under `npm run`, npm hands its own package's settings down; they would apply to the package we
 * install.
 */
function withoutNpmOfOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOurs = (name: string): boolean =>
    /^npm_(package|lifecycle|config_local_prefix)/.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)));
}
