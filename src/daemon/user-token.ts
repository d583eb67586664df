import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Folders, userTokenPath } from '../config/folders.ts';
import { createSecret } from '../shared/ids.ts';

/**
 * The user's token: made at the first start in this state folder, and kept. Only a command that is
 * judged to be the user's own reads it; no agent is given it. It must not be written in place: a
 * command may read it meanwhile.
 */
export function keepUserToken(folders: Folders): string {
  const path = userTokenPath(folders);
  const known = read(path);
  if (known !== undefined) return known;
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${createSecret('usr')}\n`, { mode: 0o600 });
  try {
    // What stands there has no token in it.
    rmSync(path, { force: true });
    linkSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  const made = read(path);
  if (made === undefined) throw new Error(`${path} holds no token just after it was written`);
  return made;
}

function read(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return /^usr_[0-9a-z]{26}$/.test(text) ? text : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
