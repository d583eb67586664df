import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/**
 * Whether nobody but this user is in a group, so that a folder which the group may change is theirs
 * alone: most systems give every user a group of that kind, and then a umask of 002 is usual. Its
 * number may differ from the user's, and the process may run under another group (`newgrp`, `sg`).
 * Of users and groups that the files do not list, as those of a directory service or of some
 * containers, the numbers alone tell: the same for both, and the one the process runs under.
 */
export function isPrivateGroup(gid: number, files: GroupFiles = systemFiles): boolean {
  const user = findUser();
  const [groupRows, userRows] = [readRows(files.group), readRows(files.passwd)];
  // A file that cannot be read may list others.
  if (!groupRows || !userRows) return false;
  const groups = groupRows.filter(([, , number]) => number === String(gid));
  const users = userRows.filter(([, , , number]) => number === String(gid));
  const members = groups.flatMap(([, , , names = '']) => names.split(',').filter(Boolean));
  const isListed = users.some(([name]) => name === user);
  const isByNumber = gid === process.geteuid?.() && gid === process.getgid?.();
  if (!isListed && !isByNumber) return false;
  return [...members, ...users.map(([name]) => name)].every((name) => name === user);
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

function readRows(path: string): readonly (readonly string[])[] | undefined {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch (error) {
    // A machine without that file lists nobody in it; any other error is no answer.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : undefined;
  }
}
