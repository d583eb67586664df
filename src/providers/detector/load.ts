import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adviseOn } from '../../config/own-folder.ts';
import { Fault } from '../../shared/fault.ts';
import { type Exposure, judgeUnchangeable, walkPath } from '../../shared/own-path.ts';
import { type ReadOnce, readOnce } from '../../shared/read-once.ts';
import { createValueReader } from '../../shared/value-reader.ts';
import type { ProviderCapabilities } from '../capabilities.ts';
import { applyCapabilityData } from '../capability-data.ts';
import { layOver } from './lay-over.ts';
import { findLoosened, requireNamed } from './loosened.ts';
import { mendRuleFile, parseRuleFile } from './parse-file.ts';
import { refuseProof } from './prove-empty.ts';
import type { Detector } from './rules.ts';

export interface LoadedDetector {
  readonly detector: Detector;
  /** The user's own file, where there is one and it is used. */
  readonly data?: UserData;
  /** What is wrong with the user's own file; the detector is then the built-in one (O5). */
  readonly trouble?: Fault;
}

/** A file of the user's that lies over what we know of a CLI. */
export interface UserData {
  readonly path: string;
  /** As its author calls it. */
  readonly version?: string;
  /** Of the bytes that were read. */
  readonly sha256: string;
  /** What it makes less careful, by name, each with the end of a sentence that says how. */
  readonly loosened: ReadonlyMap<string, string>;
  /** Names of its rules, and of the capabilities that it says something about. */
  readonly rules: readonly string[];
  readonly changes: readonly string[];
  /** Of the provider, with those of the file laid over them; absent when it has none. */
  readonly capabilities?: ProviderCapabilities;
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

/**
 * `<config folder>/detectors/<provider>.yaml`, where there is one, over `base`. It counts as a
 * whole or not at all, and only if nobody but its user can have written it.
 */
export async function overlay(
  base: Detector,
  configFolder: string,
  capabilitiesOf: () => Promise<ProviderCapabilities> = noCapabilities,
): Promise<LoadedDetector> {
  try {
    const path = userRulesPath(configFolder, base.provider);
    const bytes = readOwn(path);
    if (bytes === undefined) return { detector: base };
    return await layData(base, { path, bytes }, capabilitiesOf);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { detector: base, trouble: error };
  }
}

function noCapabilities(): never {
  throw new Error('there are no capabilities to lay a file over');
}

export function userRulesPath(configFolder: string, provider: string): string {
  return join(configFolder, 'detectors', `${provider}.yaml`);
}

async function layData(
  base: Detector,
  { path, bytes }: { readonly path: string; readonly bytes: Buffer },
  capabilitiesOf: () => Promise<ProviderCapabilities>,
): Promise<LoadedDetector> {
  const over = await parseRuleFile(decode(path, bytes), path);
  const { refuse } = createValueReader(path, mendRuleFile);
  for (const { rule } of over.composer) {
    const why = refuseProof(rule);
    if (why !== undefined) refuse(rule.name, why);
  }
  const detector = layOver(base, over);
  const applied =
    over.capabilities && applyCapabilityData(await capabilitiesOf(), over.capabilities, refuse);
  const loosened = new Map([
    ...findLoosened(base, over, detector),
    ...(applied?.loosened ?? new Map<string, string>()),
  ]);
  requireNamed(loosened, over.loosens, refuse);
  const data: UserData = {
    path,
    ...(over.version === undefined ? {} : { version: over.version }),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    loosened,
    rules: [...over.rules, ...over.composer].map(({ rule }) => rule.name),
    changes: Object.keys(over.capabilities ?? {}),
    ...(applied ? { capabilities: applied.capabilities } : {}),
  };
  return { detector, data };
}

/** Ours have about 10 KiB. */
const largestFile = 256 * 1024;

/** Whoever else can change the file, or a folder above it, could have written it. */
function readOwn(path: string): Buffer | undefined {
  const { entry, exposures } = walkPath(path);
  if (!entry) return undefined;
  const read = reading(path);
  const found = [...exposures, ...judgeUnchangeable(read.realPath, read.entry)];
  if (found.length > 0) throw exposed(path, found);
  return read.bytes;
}

function reading(path: string): ReadOnce {
  try {
    return readOnce(path, largestFile);
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error), error);
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error), error);
  }
}

function exposed(path: string, found: readonly Exposure[]): Fault {
  const [first] = found;
  const message = `${first?.path} ${first?.why}: ${path} is left out, and the built-in data is used.`;
  return new Fault('folder-exposed', message, adviseOn(found));
}

function unreadable(path: string, why: string, cause?: unknown): Fault {
  const options = cause === undefined ? {} : { cause };
  return new Fault('config-invalid', `${path} cannot be read: ${why}.`, mendRuleFile, options);
}
