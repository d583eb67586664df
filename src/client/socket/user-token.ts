import { readFileSync } from 'node:fs';
import { type Folders, userTokenPath } from '../../config/folders.ts';

/** The token that the user's own commands show; undefined until a daemon has made it. */
export function readUserToken(folders: Folders): string | undefined {
  try {
    return readFileSync(userTokenPath(folders), 'utf8').trim();
  } catch {
    // Not there, or not ours to read: the command counts as a script of the user.
    return undefined;
  }
}
