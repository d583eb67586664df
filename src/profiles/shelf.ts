import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Folders } from '../config/folders.ts';
import { Fault } from '../shared/fault.ts';
import { formatSize } from '../shared/units.ts';
import { mendProfile } from './front-matter.ts';
import { parseProfile } from './parse-profile.ts';
import { listPlaces, type Place } from './places.ts';
import { type FoundProfile, nameOf, type Profile } from './profile.ts';

/** All profiles that can be used from one folder. */
export interface ProfileShelf {
  /** Nearest first; a later one of the same name is there too, and never used. */
  list(cwd: string): Promise<readonly FoundProfile[]>;
  /** The nearest of that name. Throws its trouble when that file is broken: another of its name is not what was meant. */
  find(name: string, cwd: string): Promise<Profile | undefined>;
  /** The variables that one file sets; none when it is not there any more. */
  readEnv(path: string): Promise<Profile['env']>;
}

/** Files are read when they are needed, each time: what a person has just written holds for the next launch. */
export function openProfileShelf(folders: Folders): ProfileShelf {
  const list: ProfileShelf['list'] = async (cwd) => {
    const found: FoundProfile[] = [];
    for (const place of listPlaces(folders, cwd)) found.push(...(await readPlace(place)));
    return complete(found);
  };
  return {
    list,
    find: async (name, cwd) => {
      const wanted = name.normalize('NFC');
      const found = (await list(cwd)).find((one) => nameOf(one) === wanted);
      if (found?.outcome === 'broken') throw found.trouble;
      return found?.profile;
    },
    readEnv: async (path) => {
      if (!existsSync(path)) return {};
      return (await readProfile(path, 'user')).env;
    },
  };
}

/** Ours have about 2 KiB; some CLIs take the instructions as one argument, of which Linux allows 128 KiB. */
const largestFile = 64 * 1024;
/** More is some other folder. */
const mostFiles = 500;

/** Throws a Fault that says what is wrong with the file. */
export async function readProfile(path: string, origin: Profile['origin']): Promise<Profile> {
  return parseProfile(readProfileText(path), { path, origin });
}

async function readPlace({ folder, origin }: Place): Promise<readonly FoundProfile[]> {
  const found: FoundProfile[] = [];
  for (const file of listFiles(folder)) {
    const path = join(folder, file);
    try {
      found.push({ outcome: 'usable', profile: await readProfile(path, origin) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const name = basename(file, '.md').normalize('NFC');
      found.push({ outcome: 'broken', name, origin, path, trouble: error });
    }
  }
  return found;
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.md') && !file.startsWith('.'))
      .sort()
      .slice(0, mostFiles);
  } catch {
    // Not there, no folder, or not for us: what cannot be listed has no names that somebody could mean.
    return [];
  }
}

/** A profile without words of its own takes those of the built-in that its `role` names. */
function complete(found: readonly FoundProfile[]): readonly FoundProfile[] {
  const wordsOf = (role: string): string | undefined => {
    const usable = found.flatMap((one) => (one.outcome === 'usable' ? [one.profile] : []));
    return usable.find(({ name, origin }) => name === role && origin === 'built-in')?.instructions;
  };
  return found.map((one) => {
    if (one.outcome === 'broken' || one.profile.instructions !== '') return one;
    const instructions = one.profile.role === undefined ? undefined : wordsOf(one.profile.role);
    if (instructions === undefined) return one;
    return { outcome: 'usable', profile: { ...one.profile, instructions } };
  });
}

export function readProfileText(path: string): string {
  try {
    const stat = statSync(path);
    // Opening a pipe that nobody writes to would stop everything.
    if (!stat.isFile()) throw unreadable(path, 'it is not a file');
    if (stat.size > largestFile) {
      throw unreadable(path, `it has more than ${formatSize(largestFile)}`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw unreadable(path, error instanceof Error ? error.message : String(error), error);
  }
}

function unreadable(path: string, why: string, cause?: unknown): Fault {
  const options = cause === undefined ? {} : { cause };
  return new Fault('config-invalid', `${path} cannot be read: ${why}.`, mendProfile, options);
}
