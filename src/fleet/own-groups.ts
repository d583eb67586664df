import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { isPrivateGroup } from '../shared/private-group.ts';

/**
 * The groups that may change a folder above `folder` without anybody else having a say in it, for
 * the hook client in shell: it cannot ask who is in a group. They are judged by the rule of
 * `shared/own-path.ts`, and hold for as long as a daemon runs; the next one judges anew. The
 * groups of the system are not among them.
 */
export function listOwnGroups(folder: string): readonly number[] {
  const asked = new Set([...listAbove(folder), ...listMine()]);
  return [...asked].filter((gid) => isPrivateGroup(gid));
}

/** Of folders that their group may change. */
function listAbove(folder: string): readonly number[] {
  const found: number[] = [];
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at)) {
    try {
      const { mode, gid } = statSync(at);
      if ((mode & 0o020) !== 0) found.push(gid);
    } catch {
      // A folder that cannot be looked at makes no group ours.
    }
  }
  return found;
}

/** A link, or a folder that is opened to its group later, may bring in these. */
function listMine(): readonly number[] {
  const mine = [process.getgid?.(), process.geteuid?.()].filter((gid) => gid !== undefined);
  try {
    return [...mine, userInfo().gid];
  } catch {
    // The uid has no entry.
    return mine;
  }
}
