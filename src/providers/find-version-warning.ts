import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Folders } from '../config/folders.ts';
import { Fault } from '../shared/fault.ts';
import { forgetOldest } from '../shared/forget-oldest.ts';
import { judgeVersion, type VersionWarning } from './judge-version.ts';
import { describeTrials, loadVersionTrials } from './version-trials.ts';

/**
 * What a person should know of the version that an agent runs, by the judgement of `doctor`. A send
 * asks this, so neither adapter nor rules are loaded for the version that was tested, which most
 * agents have: the line of the rules that names it is enough. Programs that we have no rules for
 * (`generic`, those of config.yaml) were tried in no version.
 */
export async function findVersionWarning(
  folders: Folders,
  provider: string,
  version: string | undefined,
): Promise<VersionWarning | undefined> {
  const builtIn = readBuiltInTested(provider);
  if (version === undefined || builtIn === undefined) return undefined;
  const own = describeFile(join(folders.config, 'detectors', `${provider}.yaml`));
  if (own === undefined && version === builtIn) return undefined;
  const key = [provider, version, own].join('\n');
  const known = judged.get(key) ?? judge(folders, provider, version);
  judged.set(key, known);
  forgetOldest(judged, mostJudged);
  return known;
}

const mostJudged = 100;
/** A daemon is asked about the same few again and again; a file of the user's may change. */
const judged = new Map<string, Promise<VersionWarning | undefined>>();

async function judge(
  folders: Folders,
  name: string,
  version: string,
): Promise<VersionWarning | undefined> {
  const { openProviderShelf } = await import('./registry.ts');
  const shelf = openProviderShelf(folders);
  try {
    const { title } = await shelf.find(name);
    const { tested } = (await shelf.loadDetector(name)).detector;
    return judgeVersion(title, version, {
      tested,
      tried: describeTrials(name, loadVersionTrials()),
    });
  } catch (error) {
    // A provider of an earlier signalbox: its agents are shown all the same.
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** The user's own file lies over ours, and may name a version that the user has tried. */
function describeFile(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.mtimeMs}/${found.size}/${found.ino}`;
}

const testedOf = new Map<string, string | undefined>();

/**
 * Of the rules that come with the program, without parsing them: that would take longer than a
 * send. `find-version-warning.test.ts` compares it with the parser's word.
 */
export function readBuiltInTested(provider: string): string | undefined {
  if (!/^[a-z][a-z-]*$/.test(provider)) return undefined;
  if (!testedOf.has(provider)) testedOf.set(provider, read(provider));
  return testedOf.get(provider);
}

function read(provider: string): string | undefined {
  const path = [`./detectors/${provider}.yaml`, `./${provider}/detector.yaml`]
    .map((relative) => fileURLToPath(new URL(relative, import.meta.url)))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) return undefined;
  return /^tested: "([^"]+)"$/m.exec(readFileSync(path, 'utf8'))?.[1];
}
