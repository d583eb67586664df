import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
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

/** What herdr tells every program in a pane; it wins over what the caller wanted, and is frozen at the start. */
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

export function checkEnvironment(env: Readonly<Record<string, string>>): void {
  const bad = Object.entries(env).find(
    ([name, value]) => name === '' || /[=\0]/.test(name) || value.includes('\0'),
  );
  if (bad) throw new ApiError('invalid_env', `invalid environment variable ${bad[0]}`);
}

/** A program that is not there fails the request, since it is started without a shell. */
export function findProgram([program = '']: readonly string[]): void {
  const folders = program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(':');
  const isThere = folders.some((folder) => {
    try {
      accessSync(folder === '' ? program : join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!isThere) throw new ApiError('layout_apply_failed', `failed to start ${program}`);
}
