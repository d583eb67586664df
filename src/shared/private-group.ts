import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/**
 * Whether nobody but this user is in a group, so that a folder which the group may change is theirs
 * alone: most systems give every user a group of that kind, and then a umask of 002 is usual. Its
 * number may differ from the user's, and the process may run under another group (`newgrp`, `sg`).
 * A group that these files do not list, as of a directory service, counts as shared.
 */
export function isPrivateGroup(gid: number, files: GroupFiles = systemFiles): boolean {
  const user = findUser();
  // A container often runs a uid that no file lists: then a group of the same number is its own.
  if (!user) return gid === process.geteuid?.() && gid === process.getgid?.();
  const groups = readRows(files.group).filter(([, , number]) => number === String(gid));
  const users = readRows(files.passwd).filter(([, , , number]) => number === String(gid));
  const members = groups.flatMap(([, , , names = '']) => names.split(',').filter(Boolean));
  const isListed = groups.length > 0 && users.some(([name]) => name === user);
  return isListed && [...members, ...users.map(([name]) => name)].every((name) => name === user);
}

export interface GroupFiles {
  readonly group: string;
  readonly passwd: string;
}

const systemFiles: GroupFiles = { group: '/etc/group', passwd: '/etc/passwd' };

function findUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // The uid has no entry.
    return undefined;
  }
}

function readRows(path: string): readonly (readonly string[])[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    // What cannot be read lists nobody, and the group counts as shared.
    return [];
  }
}
