import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { forgetOldest } from '../shared/forget-oldest.ts';
import { parseObject } from '../shared/json.ts';
import { readFileText } from '../shared/open-file.ts';

/**
 * Starting a CLI costs up to 1.5 s (Kimi 2.1.0) and may leave files behind; longer than this nobody
 * should wait.
 */
const deadlineMs = 2000;

/**
 * The version of an installed CLI: from the package.json that the executable belongs to, else from
 * `--version`. Kept until the file behind the path changes, so that a hundred launches read it once
 * and an update is noticed.
 */
export async function readInstalledVersion(
  executablePath: string,
  packageName: string,
): Promise<string | undefined> {
  const program = await realpath(executablePath);
  const { mtimeMs, size, ino } = await stat(program);
  const state = `${mtimeMs}/${size}/${ino}`;
  const known = cache.get(program);
  if (known?.state === state) return known.version;
  const version = findVersion(program, packageName);
  cache.set(program, { state, version });
  forgetOldest(cache, mostPrograms);
  // A look that failed (a deadline on a busy machine) says nothing about the next one.
  if ((await version) === undefined) cache.delete(program);
  return version;
}

/** By path: an agent's working folder may have a program of its own. */
const mostPrograms = 100;
const cache = new Map<string, { state: string; version: Promise<string | undefined> }>();

async function findVersion(program: string, packageName: string): Promise<string | undefined> {
  return (await readPackage(program, packageName)) ?? (await askProgram(program));
}

/** npm puts the program at most three folders below its package.json. */
async function readPackage(program: string, packageName: string): Promise<string | undefined> {
  let folder = dirname(program);
  for (let level = 0; level < 4; level++) {
    // Most folders have none.
    const text = await readFileText(join(folder, 'package.json')).catch(() => undefined);
    const found = text === undefined ? undefined : parsePackage(text);
    if (found?.name === packageName) return found.version;
    folder = dirname(folder);
  }
  return undefined;
}

function parsePackage(text: string): { readonly name?: string; readonly version?: string } {
  const { name, version } = parseObject(text) ?? {};
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof version === 'string' ? { version } : {}),
  };
}

async function askProgram(program: string): Promise<string | undefined> {
  const options = { timeout: deadlineMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 } as const;
  // It cannot be started, takes too long, or ends with an error: then it does not say its version.
  const answer = await promisify(execFile)(program, ['--version'], options).catch(() => undefined);
  return answer && /\d+\.\d+\.\d+[\w.+-]*/.exec(answer.stdout)?.[0];
}
