import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../shared/fault.ts';
import { type FoundProfile, nameOf } from './profile.ts';

export interface Keeping {
  /** Without it a file that is there is not touched. */
  readonly replace: boolean;
  /** The user's folder is for its owner alone; a project's files are shared like all of it. */
  readonly isPrivate: boolean;
}

/**
 * Writes a profile into one of our folders, whole or not at all; of two at once one is told that it
 * came second.
 */
export function keepProfile(
  folder: string,
  name: string,
  text: string,
  { replace, isPrivate }: Keeping,
): string {
  const path = join(folder, `${name}.md`);
  const draft = join(folder, `.${name}.new-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
    writeFileSync(draft, text, { mode: isPrivate ? 0o600 : 0o666, flush: true });
    if (replace) renameSync(draft, path);
    // Unlike a rename it fails where there is a file already.
    else linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(name, path);
    throw unwritable(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
  return path;
}

/** Removes the file of a profile that is in one of our folders. */
export function dropProfile(found: FoundProfile): string {
  const { origin, path } = found.outcome === 'usable' ? found.profile : found;
  if (origin !== 'user' && origin !== 'project') {
    const whose = origin === 'built-in' ? 'comes with signalbox' : 'belongs to Claude Code';
    throw new Fault(
      'not-allowed',
      `"${nameOf(found)}" ${whose} (${path}) and is not removed.`,
      'A profile of the same name in your own folder is used in its place.',
    );
  }
  try {
    rmSync(path);
  } catch (error) {
    throw unwritable(path, error);
  }
  return path;
}

function taken(name: string, path: string): Fault {
  return new Fault(
    'name-taken',
    `There is already a profile "${name}": ${path}. Nothing was changed.`,
    'Look at it with `signalbox profile show`, and say --replace to write over it.',
  );
}

function unwritable(path: string, error: unknown): Fault {
  const why = error instanceof Error ? error.message : String(error);
  return new Fault(
    'config-invalid',
    `${path} could not be written: ${why}.`,
    'Make its folder writable.',
    { cause: error },
  );
}
