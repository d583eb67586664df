import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { reportBug } from '../shared/report-bug.ts';
import { type Folders, takenDownPath } from './folders.ts';

/**
 * Kept while the daemon is down because somebody wanted it so: then a command that only looks does
 * not start another. One that dies in any other way leaves no such note.
 */
export function noteTakenDown(folders: Folders): void {
  // Looking makes no folder, and neither does this.
  if (!existsSync(folders.state)) return;
  try {
    writeFileSync(takenDownPath(folders), '', { mode: 0o600 });
  } catch (error) {
    // It ends all the same; the next look starts another.
    reportBug('noting that the daemon was ended', error);
  }
}

export function forgetTakenDown(folders: Folders): void {
  rmSync(takenDownPath(folders), { force: true });
}

export function isTakenDown(folders: Folders): boolean {
  return existsSync(takenDownPath(folders));
}
