import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from '../../shared/fault.ts';
import { formatSize } from '../../shared/units.ts';
import { layOver } from './lay-over.ts';
import { mendRuleFile, parseRuleFile } from './parse-file.ts';
import type { Detector } from './rules.ts';

export interface LoadedDetector {
  readonly detector: Detector;
  /** What is wrong with the user's own file; the detector is then the built-in one (O5). */
  readonly trouble?: Fault;
}

/** Of a CLI that we know: the rules beside its provider, or with the bundle. */
export async function loadBuiltIn(provider: string): Promise<Detector> {
  const path = [`./detectors/${provider}.yaml`, `../${provider}/detector.yaml`]
    .map((relative) => fileURLToPath(new URL(relative, import.meta.url)))
    .find((candidate) => existsSync(candidate));
  if (!path) throw new Error(`there is no detector for ${provider}`);
  return layOver(
    createEmptyDetector(provider),
    await parseRuleFile(readFileSync(path, 'utf8'), path),
  );
}

/** Nothing is known about its screens. */
export function createEmptyDetector(provider: string): Detector {
  return { provider, versions: '>=0', tested: '0', regions: new Map(), rules: [], composer: [] };
}

/** `<config folder>/detectors/<provider>.yaml`, where there is one, over `base`. */
export async function overlay(base: Detector, configFolder: string): Promise<LoadedDetector> {
  try {
    const path = userRulesPath(configFolder, base.provider);
    const text = readBounded(path);
    if (text === undefined) return { detector: base };
    return { detector: layOver(base, await parseRuleFile(text, path)) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { detector: base, trouble: error };
  }
}

export function userRulesPath(configFolder: string, provider: string): string {
  return join(configFolder, 'detectors', `${provider}.yaml`);
}

/** Ours have about 10 KiB. */
const largestFile = 256 * 1024;

function readBounded(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    // Opening a pipe that nobody writes to would stop everything.
    if (!stat.isFile()) throw unreadable(path, 'it is not a file');
    if (stat.size > largestFile) {
      throw unreadable(path, `it has more than ${formatSize(largestFile)}`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof Fault) throw error;
    // There may be no folder, or a file of its name.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw unreadable(path, error instanceof Error ? error.message : String(error), error);
  }
}

function unreadable(path: string, why: string, cause?: unknown): Fault {
  const options = cause === undefined ? {} : { cause };
  return new Fault('config-invalid', `${path} cannot be read: ${why}.`, mendRuleFile, options);
}
