import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../shared/fault.ts';
import {
  belongsTo,
  type Exposure,
  isByOwnGroup,
  isTrusted,
  judgeListed,
  judgeOwn,
  judgeSocket,
  judgeUnchangeable,
  type Walked,
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

/** For the daemon, at its start: what an access list hides behind a group of our own. */
export function requireNoAccessList(folders: Folders): void {
  refuse(findListed(folders), 'the state folder and your settings');
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
  for (const { real, entry, exposures } of walkSettings(folders, found)) {
    found.push(...exposures, ...(entry ? judgeUnchangeable(real, entry) : []));
  }
  return once(found);
}

export function findListed(folders: Folders): readonly Exposure[] {
  const walked = [walkPath(folders.state), ...walkSettings(folders, [])];
  const paths = walked.flatMap(({ real, entry, byOwnGroup }) => [
    ...byOwnGroup,
    ...(entry && isByOwnGroup(entry) ? [real] : []),
  ]);
  return [...new Set(paths)].flatMap(judgeListed);
}

/** Each entry itself, or what a link of that name leads to. */
function walkSettings(folders: Folders, found: Exposure[]): readonly Walked[] {
  const inFolders = ['profiles', 'detectors'].flatMap((name) => {
    const folder = walkPath(join(folders.config, name));
    const names = folder.entry?.isDirectory() ? list(folder.real, found) : [];
    return [folder, ...names.map((file) => walkPath(join(folder.real, file)))];
  });
  return [walkPath(folders.config), walkPath(configPath(folders)), ...inFolders];
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
