import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Folders } from '../config/folders.ts';
import { forgetOldest } from '../shared/forget-oldest.ts';
import { reportBug } from '../shared/report-bug.ts';
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
  if (version === undefined) return undefined;
  try {
    return await find(folders, provider, version);
  } catch (error) {
    // It is advice: whatever is in the way of it keeps no message and hides no agent.
    reportBug('judging the version of a CLI', error);
    return undefined;
  }
}

async function find(
  folders: Folders,
  provider: string,
  version: string,
): Promise<VersionWarning | undefined> {
  const builtIn = readBuiltInTested(provider);
  if (builtIn === undefined) return undefined;
  const own = describeFile(join(folders.config, 'detectors', `${provider}.yaml`));
  if (own === undefined && version === builtIn) return undefined;
  const key = [provider, version, own].join('\n');
  const known = judged.get(key) ?? judge(folders, provider, version);
  judged.set(key, known);
  forgetOldest(judged, mostJudged);
  try {
    return await known;
  } catch (error) {
    // It is asked again.
    judged.delete(key);
    throw error;
  }
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
  const { title } = await shelf.find(name);
  const { tested } = (await shelf.loadDetector(name)).detector;
  return judgeVersion(title, version, {
    tested,
    tried: describeTrials(name, loadVersionTrials()),
  });
}

/** The user's own file lies over ours, and may name a version that the user has tried. */
function describeFile(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs}/${size}/${ino}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Whoever loads the rules says what is wrong with it.
    return code === 'ENOENT' ? undefined : String(code);
  }
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
  for (const relative of [`./detectors/${provider}.yaml`, `./${provider}/detector.yaml`]) {
    const text = readIfThere(fileURLToPath(new URL(relative, import.meta.url)));
    if (text !== undefined) return /^tested: "([^"]+)"$/m.exec(text)?.[1];
  }
  return undefined;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
