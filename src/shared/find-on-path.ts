import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The full path of a program that a PATH leads to. Folders that are not absolute mean another place
 * to everybody.
 */
export async function findOnPath(program: string, path: string): Promise<string | undefined> {
  for (const folder of listAbsolute(path)) {
    const candidate = join(folder, program);
    if (await isProgram(candidate)) return candidate;
  }
  return undefined;
}

/**
 * Without what means another folder in every folder: relative entries, and empty ones, which mean
 * the folder one is in.
 */
export function keepAbsolute(path: string): string {
  return listAbsolute(path).join(delimiter);
}

function listAbsolute(path: string): readonly string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

/**
 * A file that may be executed; a folder of that name may be entered, which the system tells the
 * same way.
 */
export async function isProgram(path: string): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false;
    await access(path, constants.X_OK);
    return true;
  } catch {
    // What the system does not let us see, it does not let us run.
    return false;
  }
}
