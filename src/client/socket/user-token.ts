import { readFileSync } from 'node:fs';
import { type Folders, userTokenPath } from '../../config/folders.ts';

/** Of a command that is judged to be the user's own; undefined while no daemon has made it. */
export function readUserToken(folders: Folders): string | undefined {
  try {
    return readFileSync(userTokenPath(folders), 'utf8').trim();
  } catch {
    // Not there, or not ours to read: the command counts as a script of the user.
    return undefined;
  }
}
