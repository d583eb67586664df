import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type CliName, node22, pins } from './versions.ts';

/**
 * Installed programs lie outside the checkout, by version: a clean checkout needs no second
 * download.
 */
export function cacheFolder(): string {
  const { SIGNALBOX_LAB_CACHE, XDG_CACHE_HOME } = process.env;
  return SIGNALBOX_LAB_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox-lab');
}

/**
 * One folder of the cache. It appears by a rename once it is whole, and its marker is the last file
 * in it.
 */
export interface CacheEntry {
  readonly label: string;
  readonly folder: string;
  readonly isInstalled: () => boolean;
}

export const marker = 'installed.json';

export function cliEntry(name: CliName): CacheEntry {
  return entry(name, pins[name].version);
}

export function nodeEntry(): CacheEntry {
  return entry('node', node22.version);
}

function entry(name: string, version: string): CacheEntry {
  const label = `${name}-${version}`;
  const folder = join(cacheFolder(), label);
  return { label, folder, isInstalled: () => existsSync(join(folder, marker)) };
}
