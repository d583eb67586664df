import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Opening a pipe that nobody writes to would never end, of us all or of one of few threads. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Opens a file to read it, where others decide what lies there: a CLI, an agent's programs, a hook
 * that names a path. A pipe, a device or a folder in its place is an error (EFTYPE), told at once.
 */
export async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, flags);
  try {
    requireFile(await file.stat(), path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** All of such a file. */
export async function readFileText(path: string): Promise<string> {
  const file = await openFile(path);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Gives the descriptor to `read`, and closes it after that. */
export function useFileSync<T>(path: string, read: (file: number) => T): T {
  const file = openSync(path, flags);
  try {
    requireFile(fstatSync(file), path);
    return read(file);
  } finally {
    closeSync(file);
  }
}

export function readFileTextSync(path: string): string {
  return useFileSync(path, (file) => readFileSync(file, 'utf8'));
}

function requireFile(found: Stats, path: string): void {
  if (found.isFile()) return;
  const code = found.isDirectory() ? 'EISDIR' : 'EFTYPE';
  throw Object.assign(new Error(`${code}: not a file, open '${path}'`), { code, path });
}
