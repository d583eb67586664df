import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { isDiskTrouble } from './disk-trouble.ts';
import { Fault } from './fault.ts';
import { shellWord } from './shell-word.ts';

/**
 * The full path of a program that a PATH leads to. Folders that are not absolute mean another place
 * to everybody.
 */
export async function findOnPath(program: string, path: string): Promise<string | undefined> {
  let doubt: Fault | undefined;
  for (const folder of listAbsolute(path)) {
    const candidate = join(folder, program);
    const found = await look(candidate);
    if (found === true) return candidate;
    if (found === false) continue;
    const trouble = unknown(program, candidate, found);
    if (!passedOver.has(found)) throw trouble;
    doubt ??= trouble;
  }
  if (doubt) throw doubt;
  return undefined;
}

/** Of a volume that is gone: the system's own search goes on behind it (glibc's `execvp`). */
const passedOver: ReadonlySet<string> = new Set(['ESTALE', 'ENODEV', 'ETIMEDOUT']);

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

/** Throws where it cannot be known (rule 41). */
export async function isProgram(path: string): Promise<boolean> {
  const found = await look(path);
  if (typeof found === 'string') throw unknown(path, path, found);
  return found;
}

/**
 * A file that may be executed; a folder of that name may be entered, which the system tells the
 * same way. The code of an error that says nothing of it.
 */
async function look(path: string): Promise<boolean | string> {
  try {
    if (!(await stat(path)).isFile()) return false;
    await access(path, constants.X_OK);
    return true;
  } catch (error) {
    // What the system does not let us see, it does not let us run.
    return isDiskTrouble(error) ? error.code : false;
  }
}

function unknown(program: string, path: string, code: string): Fault {
  return new Fault(
    'disk-trouble',
    `signalbox cannot tell whether ${program} is installed: ${path} cannot be looked at (${code}).`,
    `Try again once \`ls -l ${shellWord(path)}\` shows it.`,
  );
}
