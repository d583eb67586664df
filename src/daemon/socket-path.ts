import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from '../config/folders.ts';
import { Fault } from '../shared/fault.ts';
import { shortSocketPath } from '../shared/short-path.ts';

/**
 * Where the daemon of a state folder listens, the same for all its lives: agents are told once,
 * when they are launched. The socket lies in a folder that is ours and 0700, whatever the state
 * folder's own mode is.
 */
export function prepareSocketPath(folders: Folders, env: NodeJS.ProcessEnv): string {
  const folder = join(folders.state, 'run');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const entry = lstatSync(folder);
  if (!entry.isDirectory() || entry.uid !== process.getuid?.()) {
    throw new Fault(
      'not-allowed',
      `${folder} is not a folder of yours; the daemon does not listen there.`,
      'Remove it, or set SIGNALBOX_HOME to another folder.',
    );
  }
  if ((entry.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
  const path = join(folder, 'daemon.sock');
  // Before anything is begun: a start that fails at its socket would leave a tmux server behind.
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Fault(
      'not-allowed',
      `${path} is a folder, and the daemon’s socket must be there.`,
      'Remove it.',
    );
  }
  return shortSocketPath(folder, 'daemon.sock', env);
}
