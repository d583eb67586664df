import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { SessionPlace } from '../socket-paths.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Ids } from './ids.ts';
import type { Pane } from './panes.ts';

/** How a new pane is to begin. Without `argv` it runs the default shell. */
export interface PaneWish {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly argv?: readonly string[];
}

/**
 * What herdr tells every program in a pane; it wins over what the caller wanted, and is frozen at
 * the start.
 */
export function paneEnvironment(
  ids: Ids,
  pane: Pane,
  place: SessionPlace,
): Readonly<Record<string, string>> {
  return {
    HERDR_ENV: '1',
    HERDR_SOCKET_PATH: place.socket,
    HERDR_BIN_PATH: process.env['FAKE_HERDR_BIN'] ?? process.argv[1] ?? 'herdr',
    HERDR_WORKSPACE_ID: pane.workspace.id,
    HERDR_TAB_ID: ids.tab(pane.tab),
    HERDR_PANE_ID: ids.pane(pane),
  };
}

export function checkEnvironment(
  env: Readonly<Record<string, string>>,
  code: 'invalid_env' | 'invalid_layout' = 'invalid_env',
): void {
  for (const [name, value] of Object.entries(env)) {
    if (name === '') throw new ApiError(code, 'env key must not be empty');
    if (name.includes('=')) throw new ApiError(code, `env key ${name} must not contain '='`);
    if (name.includes('\0')) throw new ApiError(code, 'env key must not contain NUL bytes');
    if (value.includes('\0')) {
      throw new ApiError(code, `env value for ${name} must not contain NUL bytes`);
    }
  }
}

/** A program that could not be started; each method has its own code for it. */
class SpawnError extends Error {}

export async function spawning<T>(code: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SpawnError) throw new ApiError(code, error.message);
    throw error;
  }
}

/** A folder that is not there is replaced by the home folder, without a word. */
export function usableFolder(cwd: string): string {
  const isFolder = statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? cwd : process.env['HOME'] || homedir();
}

/**
 * Looked up along the PATH that the pane itself will have; a program that is not there fails the
 * request.
 */
export function findProgram(
  [program = '']: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): void {
  const path = env['PATH'] ?? process.env['PATH'] ?? '';
  const isPath = program.startsWith('/') || program.startsWith('./') || program.startsWith('../');
  const candidates = isPath
    ? [resolve(cwd, program)]
    : path.split(':').map((folder) => resolve(cwd, folder, program));
  if (candidates.some(isExecutable)) return;
  const reason = isPath ? 'it does not exist' : `No viable candidates found in PATH "${path}"`;
  throw new SpawnError(`Unable to spawn ${program} because:\n${reason}`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}
