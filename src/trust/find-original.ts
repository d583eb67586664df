import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Folders, worktreeFolder } from '../config/folders.ts';
import { readOnce } from '../shared/read-once.ts';

/** A line. */
const largestLink = 8 * 1024;

/**
 * The file of the repository that a file in a worktree of ours is the checkout of. An agent in a
 * worktree may launch what the user trusted in the repository itself, as long as it is the same
 * byte for byte: otherwise every worktree would be asked about anew. Which repository that is a
 * worktree may not say alone, since its agent can write there: the repository must name this
 * worktree as its own. Undefined for all other places.
 */
export function findOriginal(folders: Folders, realPath: string): string | undefined {
  try {
    const way = relative(realpathSync(worktreeFolder(folders)), realPath).split(sep);
    const [worktree = '', ...inside] = way;
    if (worktree === '' || worktree === '..' || inside.length === 0) return undefined;
    const top = join(realpathSync(worktreeFolder(folders)), worktree);
    const [, main, name] =
      /^gitdir: (.+)\/\.git\/worktrees\/([^/\n]+)\n?$/.exec(readLink(join(top, '.git'))) ?? [];
    if (main === undefined || name === undefined) return undefined;
    const repository = realpathSync(resolve(top, main));
    const kept = join(repository, '.git', 'worktrees', name);
    const back = readLink(join(kept, 'gitdir')).replace(/\n$/, '');
    if (back === '' || realpathSync(resolve(kept, back)) !== join(top, '.git')) return undefined;
    const original = join(repository, ...inside);
    // The file itself may be gone there, or be a link: it is the name that was trusted.
    return dirname(original) === original ? undefined : original;
  } catch {
    // There are no worktrees of ours, or it is none: then it is only itself.
    return undefined;
  }
}

function readLink(path: string): string {
  return readOnce(path, largestLink).bytes.toString();
}
