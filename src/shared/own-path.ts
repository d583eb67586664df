import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hasAccessList } from './access-list.ts';
import { isPrivateGroup } from './private-group.ts';

/**
 * Whose a path is. Node cannot ask who is at the other end of a socket, so the folder is the guard:
 * what lies in a folder that only this user can change was put there by this user. Every real
 * component of a path is judged, links included, from the root on: whoever can change one of them
 * can put something else in the place of all below it.
 */
export interface Exposure {
  readonly path: string;
  /** The end of a sentence that begins with the path. */
  readonly why: string;
  /** What mends it, where we can. */
  readonly mend?: Mend;
}

type Mend =
  | { readonly kind: 'mode'; readonly mode: number; readonly command: string }
  | { readonly kind: 'remove'; readonly command: string };

export interface Walked {
  /** Without links in it, as far as it is there. */
  readonly real: string;
  /** Undefined: nothing is there. */
  readonly entry: Stats | undefined;
  readonly exposures: readonly Exposure[];
  /** Folders above that our own group may change: an access list may hide behind that. */
  readonly byOwnGroup: readonly string[];
}

/** As Linux does it. */
const mostLinks = 40;

/** Follows a path to its end, and judges everything above that. */
export function walkPath(path: string): Walked {
  const exposures: Exposure[] = [];
  const byOwnGroup: string[] = [];
  const judged = { exposures, byOwnGroup };
  let names = split(resolve(path));
  let at = '/';
  let links = 0;
  let entry: Stats | undefined = look('/', exposures);
  while (names.length > 0) {
    // What lies below something that is no folder is not there; whoever wants it says so.
    if (entry && !entry.isDirectory())
      return { real: join(at, ...names), entry: undefined, ...judged };
    if (entry) judgeAbove(at, entry, exposures);
    if (entry && isByOwnGroup(entry)) byOwnGroup.push(at);
    const [name = '', ...rest] = names;
    names = rest;
    const next = name === '..' ? dirname(at) : join(at, name);
    entry = look(next, exposures);
    if (!entry) return { real: join(next, ...names), entry, ...judged };
    if (!entry.isSymbolicLink()) {
      at = next;
      continue;
    }
    if (!isTrusted(entry.uid)) exposures.push({ path: next, why: belongsTo(entry) });
    if (++links > mostLinks) {
      exposures.push({ path: next, why: 'is one of too many links' });
      return { real: next, entry: undefined, ...judged };
    }
    const target = readTarget(next, exposures);
    if (target === undefined) return { real: next, entry: undefined, ...judged };
    names = [...split(target), ...names];
    if (target.startsWith('/')) at = '/';
    entry = look(at, exposures);
  }
  return { real: at, entry, ...judged };
}

/** What must be this user's alone. `kind` decides which mode it should have. */
export function judgeOwn(
  path: string,
  entry: Stats,
  kind: 'folder' | 'file' | 'socket',
): readonly Exposure[] {
  const isKind =
    kind === 'folder'
      ? entry.isDirectory()
      : kind === 'file'
        ? entry.isFile()
        : entry.isSocket() && !entry.isSymbolicLink();
  const isOurs = entry.uid === myself();
  if (!isKind || !isOurs) {
    const why = isOurs ? `is not a ${kind}` : belongsTo(entry);
    const mend: Mend = { kind: 'remove', command: `rm ${shellWord(path)}` };
    // Of a folder nobody knows what would be lost with it.
    const canGo = kind !== 'folder' && !entry.isDirectory();
    return [{ path, why, ...(canGo ? { mend } : {}) }];
  }
  if ((entry.mode & 0o077) === 0) return [];
  const mode = kind === 'folder' ? 0o700 : 0o600;
  const why = `is open to other users (mode ${formatMode(entry.mode)})`;
  return [{ path, why, mend: changeMode(path, mode, mode.toString(8)) }];
}

/** What others may read but not change, such as settings. */
export function judgeUnchangeable(path: string, entry: Stats): readonly Exposure[] {
  const { uid, gid, mode } = entry;
  if (!isTrusted(uid)) return [{ path, why: belongsTo(entry) }];
  const mend = mendOwn(path, entry);
  if ((mode & 0o002) !== 0) return [{ path, why: 'can be changed by every user', ...mend }];
  if ((mode & 0o020) === 0 || isOwnGroup(gid)) return [];
  return [{ path, why: `can be changed by its group (gid ${gid})`, ...mend }];
}

/** Also whoever an access list names can then change it: `judgeListed` asks. */
export function isByOwnGroup({ mode, gid }: Stats): boolean {
  return (mode & 0o020) !== 0 && isOwnGroup(gid);
}

/** It runs `ls`, so only those ask who live long, or were asked what is wrong here. */
export function judgeListed(path: string): readonly Exposure[] {
  if (!hasAccessList(path)) return [];
  const entry = lstatSync(path, { throwIfNoEntry: false });
  const mend = entry ? mendOwn(path, entry) : {};
  return [{ path, why: 'can be changed by those whom its access list names', ...mend }];
}

/**
 * A socket that something is about to be sent to: it, its folder and all above. Nothing, where no
 * socket is.
 */
export function judgeSocket(socket: string): readonly Exposure[] {
  const folder = walkPath(dirname(resolve(socket)));
  if (!folder.entry) return folder.exposures;
  const path = join(folder.real, resolve(socket).split('/').at(-1) ?? '');
  const found: Exposure[] = [...folder.exposures, ...judgeOwn(folder.real, folder.entry, 'folder')];
  const entry = look(path, found);
  return entry ? [...found, ...judgeOwn(path, entry, 'socket')] : found;
}

/** The same with access lists, for those who have the time to ask. */
export function judgeSocketListed(socket: string): readonly Exposure[] {
  const found = judgeSocket(socket);
  if (found.length > 0) return found;
  return walkPath(dirname(resolve(socket))).byOwnGroup.flatMap(judgeListed);
}

/** Ours, or of whoever can do anything here anyway. */
export function isTrusted(uid: number): boolean {
  return uid === myself() || isSystem(uid);
}

export function belongsTo({ uid }: Stats): string {
  return `belongs to another user (uid ${uid})`;
}

/** Of a sticky folder, such as /tmp, only an entry's owner can move the entry, or the folder's. */
function judgeAbove(path: string, entry: Stats, found: Exposure[]): void {
  if (found.some((one) => one.path === path)) return;
  if (!isTrusted(entry.uid))
    found.push({ path, why: `${belongsTo(entry)}, who can replace what it holds` });
  else if ((entry.mode & 0o1000) === 0) found.push(...judgeUnchangeable(path, entry));
}

/** A folder of the system is not ours to change, for root neither: others may work in it. */
function mendOwn(path: string, { uid, mode }: Stats): { readonly mend?: Mend } {
  return uid === myself() ? { mend: changeMode(path, mode & 0o7755, 'go-w') } : {};
}

function look(path: string, found: Exposure[]): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EACCES and the like: what cannot be looked at cannot be believed. Under a name that is too
    // long nothing can be.
    if (code !== 'ENAMETOOLONG') found.push({ path, why: `cannot be looked at (${code})` });
    return undefined;
  }
}

function readTarget(path: string, found: Exposure[]): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    found.push({ path, why: `cannot be looked at (${code})` });
    return undefined;
  }
}

/**
 * In a user namespace the system's files belong to the uid that stands for all others; so does its
 * root folder.
 */
function isSystem(uid: number): boolean {
  return uid === 0 || uid === lstatSync('/').uid;
}

/** Of the system, or of this user alone. */
function isOwnGroup(gid: number): boolean {
  return gid === 0 || gid === lstatSync('/').gid || isPrivateGroup(gid);
}

function myself(): number {
  return process.geteuid?.() ?? -1;
}

function changeMode(path: string, mode: number, words: string): Mend {
  return { kind: 'mode', mode: mode & 0o7777, command: `chmod ${words} ${shellWord(path)}` };
}

function formatMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

function shellWord(path: string): string {
  return /^[\w/.+:@%-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function split(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
