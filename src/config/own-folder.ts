import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../shared/fault.ts';
import {
  belongsTo,
  type Exposure,
  isTrusted,
  judgeOwn,
  judgeSocket,
  walkPath,
} from '../shared/own-path.ts';
import type { Folders } from './folders.ts';

/**
 * Refuses a state folder that is not this user's alone: whoever else can change it decides what our commands believe, whom they
 * send the environment to, and what the daemon runs. Asked before anything in it is read; there is no way round it.
 */
export function requireOwnFolder(folders: Folders): void {
  refuse(findExposed(folders));
}

/** Before anything is sent there. `folders`: whose socket it says it is. */
export function requireOwnSocket(socket: string, folders?: Folders): void {
  refuse(judgeSocket(socket));
  if (!folders) return;
  const wanted = walkPath(join(folders.state, 'run')).real;
  const { real } = walkPath(join(socket, '..'));
  if (real === wanted) return;
  refuse([
    { path: socket, why: `does not lie in ${wanted}, where the daemon of this folder listens` },
  ]);
}

/** All that is wrong with the folder; also what only a daemon mends at its start, where that is asked for. */
export function findExposed(
  { state }: Folders,
  { withRun = false }: { readonly withRun?: boolean } = {},
): readonly Exposure[] {
  const { real, entry, exposures } = walkPath(state);
  // A file in its place is told by whoever wants to make the folder.
  if (!entry || (!entry.isDirectory() && isTrusted(entry.uid))) return exposures;
  const found = [...exposures, ...judgeOwn(real, entry, 'folder')];
  // Nothing is asked about what lies in somebody else's folder.
  if (!isTrusted(entry.uid) || !entry.isDirectory()) return found;
  for (const name of readdirSync(real)) {
    const path = join(real, name);
    const inside = lstatSync(path, { throwIfNoEntry: false });
    if (!inside) continue;
    if (name === 'daemon.json') found.push(...judgeOwn(path, inside, 'file'));
    // Others may have put it there while the folder was open to them.
    else if (!isTrusted(inside.uid)) found.push({ path, why: belongsTo(inside) });
    else if (name === 'run' && withRun) found.push(...judgeSocket(join(path, 'daemon.sock')));
  }
  return found.filter((one, i) => found.findIndex(({ path }) => path === one.path) === i);
}

function refuse(exposures: readonly Exposure[]): void {
  const [first] = exposures;
  if (!first) return;
  const more = exposures.length > 1 ? ` (and ${exposures.length - 1} more)` : '';
  throw new Fault(
    'folder-exposed',
    `${first.path} ${first.why}${more}: nothing in the state folder can be believed, and nothing was sent.`,
    adviseOn(exposures),
  );
}

export function adviseOn(exposures: readonly Exposure[]): string {
  const commands = exposures.flatMap(({ mend }) => (mend ? [mend.command] : []));
  const isAll = commands.length === exposures.length;
  const run = `Run \`${commands.slice(0, 5).join(' && ')}\`, or \`signalbox doctor --fix\``;
  if (isAll) return `${run}.`;
  const other = 'set SIGNALBOX_HOME to a folder that you alone can change';
  return commands.length > 0 ? `${run}; for the rest, ${other}.` : `S${other.slice(1)}.`;
}
