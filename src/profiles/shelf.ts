import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Folders } from '../config/folders.ts';
import { Fault } from '../shared/fault.ts';
import { readOnce } from '../shared/read-once.ts';
import { readWorkingFile, type WorkingFileKind } from '../trust/working-file.ts';
import { mendProfile } from './front-matter.ts';
import { parseProfile } from './parse-profile.ts';
import { findOrigin, listPlaces, type Place } from './places.ts';
import type { FoundProfile, Profile } from './profile.ts';

/** All profiles that can be used from one folder. */
export interface ProfileShelf {
  /** Nearest first; a later one of the same name is there too. */
  list(cwd: string): Promise<readonly FoundProfile[]>;
  /** One file, as it is now; undefined when it is not there any more. */
  read(path: string): Promise<Profile | undefined>;
}

/**
 * Files are read when they are needed, each time: what a person has just written holds for the next
 * launch.
 */
export function openProfileShelf(folders: Folders): ProfileShelf {
  return {
    list: async (cwd) => {
      const found: FoundProfile[] = [];
      for (const place of listPlaces(folders, cwd)) found.push(...(await readPlace(place)));
      return complete(found);
    },
    read: async (path) => (isGone(path) ? undefined : readProfile(path, findOrigin(folders, path))),
  };
}

/**
 * Ours have about 2 KiB; some CLIs take the instructions as one argument, of which Linux allows 128
 * KiB.
 */
export const largestFile = 64 * 1024;
/** More is some other folder. */
const mostFiles = 500;

/**
 * Throws a Fault that says what is wrong with the file. One of a working folder carries the bytes
 * it was read from.
 */
export async function readProfile(path: string, origin: Profile['origin']): Promise<Profile> {
  const kind = kinds.get(origin);
  if (kind === undefined) return parseProfile(readProfileText(path), { path, origin });
  const source = reading(path, () => readWorkingFile(path, kind, largestFile));
  const text = reading(path, () => decode(source.bytes));
  return { ...(await parseProfile(text, { path, origin })), source };
}

/** Those that somebody else may have written. */
const kinds: ReadonlyMap<Profile['origin'], WorkingFileKind> = new Map([
  ['project', 'profile'],
  ['claude-agents', 'claude-agent'],
]);

async function readPlace({ folder, origin }: Place): Promise<readonly FoundProfile[]> {
  const found: FoundProfile[] = [];
  const files = listFiles(folder);
  if (files instanceof Fault) {
    const name = basename(folder);
    return [{ outcome: 'broken', name, origin, path: folder, trouble: files, isUnread: true }];
  }
  for (const file of files) {
    const path = join(folder, file);
    try {
      found.push({ outcome: 'usable', profile: await readProfile(path, origin) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const name = basename(file, '.md').normalize('NFC');
      const unread = isAnswer(error.cause) ? {} : { isUnread: true as const };
      found.push({ outcome: 'broken', name, origin, path, trouble: error, ...unread });
    }
  }
  return found;
}

/** A Fault says why nobody knows: only that there is none is an answer (rule 41). */
function listFiles(folder: string): readonly string[] | Fault {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.md') && !file.startsWith('.'))
      .sort()
      .slice(0, mostFiles);
  } catch (error) {
    if (isAnswer(error)) return [];
    return unreadable(folder, error instanceof Error ? error.message : String(error), error);
  }
}

function isGone(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    // Of anything else, reading it will say what is wrong.
    return isAnswer(error);
  }
}

/**
 * Whether the system has told something: that it is not there, or what is wrong with its content,
 * but not that it failed to look.
 */
function isAnswer(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code === undefined || [...notThere, 'ERR_ENCODING_INVALID_ENCODED_DATA'].includes(code);
}

/** A name that is too long for the system is nobody's. */
const notThere = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

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
  return reading(path, () => decode(readOnce(path, largestFile).bytes));
}

function decode(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error), error);
  }
}

function unreadable(path: string, why: string, cause?: unknown): Fault {
  const options = cause === undefined ? {} : { cause };
  return new Fault('config-invalid', `${path} cannot be read: ${why}.`, mendProfile, options);
}
