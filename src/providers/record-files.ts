import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { openFile, readFileText } from '../shared/open-file.ts';

/**
 * The one way to list and read the files in which a CLI keeps its records (rule 41). "Does not
 * exist" is an answer, and the only error that is one: nothing can stand in a file or folder that
 * is not there. Every other error (EMFILE, EACCES, EIO, a pipe in the place of a file …) is
 * thrown as it is: whoever looked knows nothing, and must not take it for absence.
 */
export async function listNames(folder: string): Promise<readonly string[]> {
  return (await listEntries(folder)).map(({ name }) => name);
}

/** Folders in a folder, and links, which may lead to one; none where there is no such folder. */
export async function listFolders(folder: string): Promise<readonly string[]> {
  const entries = await listEntries(folder);
  return entries.filter((one) => one.isDirectory() || one.isSymbolicLink()).map(({ name }) => name);
}

/** Undefined where there is no such file. */
export async function findStats(path: string): Promise<Stats | undefined> {
  return await stat(path).catch(ifMissing(undefined));
}

/** In bytes; 0 where there is no such file. */
export async function sizeOf(path: string): Promise<number> {
  return (await findStats(path))?.size ?? 0;
}

/** Empty where there is no such file. */
export async function readText(path: string): Promise<string> {
  return await readFileText(path).catch(ifMissing(''));
}

/**
 * At most so many bytes of its beginning; empty where there is no such file. One read may give
 * fewer than there are.
 */
export async function readHead(path: string, bytes: number): Promise<Buffer> {
  const file = await openFile(path).catch(ifMissing(undefined));
  if (!file) return Buffer.alloc(0);
  try {
    const space = Buffer.alloc(bytes);
    let filled = 0;
    while (filled < bytes) {
      const { bytesRead } = await file.read(space, filled, bytes - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return space.subarray(0, filled);
  } finally {
    await file.close();
  }
}

/** The file, or a folder on the way to it, is not there. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * The system's own word for what went wrong; undefined for an error that is not the system's: a bug
 * of ours.
 */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

async function listEntries(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // Where a file stands in the place of the folder itself nobody knows what became of that.
    if (isMissing(error) && (await findStats(folder)) === undefined) return [];
    throw error;
  }
}

function ifMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return instead;
    throw error;
  };
}
