import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../shared/fault.ts';
import {
  belongsTo,
  type Exposure,
  isTrusted,
  judgeOwn,
  judgeSocket,
  judgeUnchangeable,
  walkPath,
} from '../shared/own-path.ts';
import { configPath, type Folders } from './folders.ts';

/**
 * Refuses a state folder that is not this user's alone: whoever else can change it decides what our
 * commands believe, whom they send the environment to, and what the daemon runs. Asked before
 * anything in it is read; there is no way round it.
 */
export function requireOwnFolder(folders: Folders): void {
  refuse(findExposed(folders), 'the state folder');
}

/**
 * Besides, refuses settings, profiles and rules that others can change: they need no trust, and
 * decide what agents run. Others may read them, and a link to one's own dotfiles is followed.
 */
export function requireOwnFolders(folders: Folders): void {
  requireOwnFolder(folders);
  refuse(findExposedSettings(folders), 'your settings');
}

/** Before anything is sent there. */
export function requireOwnSocket(socket: string): void {
  refuse(judgeSocket(socket), 'the state folder');
}

/** Whether a socket is where the daemon of these folders listens, by whatever links one comes. */
export function liesIn(socket: string, folders: Folders): boolean {
  return walkPath(join(socket, '..')).real === walkPath(join(folders.state, 'run')).real;
}

/**
 * All that is wrong with the folder; also what only a daemon mends at its start, where that is
 * asked for.
 */
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
  for (const name of list(real, found)) {
    const path = join(real, name);
    const inside = lstatSync(path, { throwIfNoEntry: false });
    if (!inside) continue;
    if (name === 'daemon.json') found.push(...judgeOwn(path, inside, 'file'));
    // Others may have put it there while the folder was open to them.
    else if (!isTrusted(inside.uid)) found.push({ path, why: belongsTo(inside) });
    else if (name === 'run' && withRun) found.push(...judgeSocket(join(path, 'daemon.sock')));
  }
  return once(found);
}

export function findExposedSettings(folders: Folders): readonly Exposure[] {
  const found: Exposure[] = [];
  // The entry itself, or what a link of that name leads to.
  const judge = (path: string): string | undefined => {
    const { real, entry, exposures } = walkPath(path);
    found.push(...exposures, ...(entry ? judgeUnchangeable(real, entry) : []));
    return entry?.isDirectory() ? real : undefined;
  };
  judge(folders.config);
  judge(configPath(folders));
  for (const name of ['profiles', 'detectors']) {
    const folder = judge(join(folders.config, name));
    if (folder === undefined) continue;
    for (const file of list(folder, found)) judge(join(folder, file));
  }
  return once(found);
}

/** What cannot be listed cannot be believed. */
function list(folder: string, found: Exposure[]): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') found.push({ path: folder, why: `cannot be listed (${code})` });
    return [];
  }
}

function once(found: readonly Exposure[]): readonly Exposure[] {
  return found.filter((one, i) => found.findIndex(({ path }) => path === one.path) === i);
}

function refuse(exposures: readonly Exposure[], what: string): void {
  const [first] = exposures;
  if (!first) return;
  const more = exposures.length > 1 ? ` (and ${exposures.length - 1} more)` : '';
  throw new Fault(
    'folder-exposed',
    `${first.path} ${first.why}${more}: nothing in ${what} can be believed, and nothing was sent.`,
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
