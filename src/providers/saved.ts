import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';

/**
 * What was found of a conversation. `empty`: its file is there, and nothing in it can be resumed. `missing`: every place where the
 * CLI could have written was read without an error, and there is no trace of it. `unknown`: it could not be looked for.
 */
export type Saved = 'saved' | 'empty' | 'missing' | 'unknown';

/** An error while looking is no answer (rule 41). */
export async function unlessUnreadable(look: () => Promise<Saved>): Promise<Saved> {
  try {
    return await look();
  } catch {
    return 'unknown';
  }
}

/** Folders in a folder; none where there is no such folder. Throws where that cannot be told. */
export async function listFolders(folder: string): Promise<readonly string[]> {
  const entries = await listEntries(folder);
  return entries.filter((one) => one.isDirectory() || one.isSymbolicLink()).map(({ name }) => name);
}

export async function listNames(folder: string): Promise<readonly string[]> {
  return (await listEntries(folder)).map(({ name }) => name);
}

function listEntries(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(ifMissing<readonly Dirent[]>([]));
}

/** In bytes; 0 where there is no such file. */
export async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(ifMissing(undefined)))?.size ?? 0;
}

/** Empty where there is no such file. */
export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(ifMissing(''));
}

function ifMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return instead;
    throw error;
  };
}
