import { chmodSync, lstatSync, rmSync } from 'node:fs';
import type { Folders } from '../config/folders.ts';
import { adviseOn, findExposed, findExposedSettings, findListed } from '../config/own-folder.ts';
import type { Finding } from '../protocol/doctor.ts';
import type { Exposure } from '../shared/own-path.ts';

/** What is mended may show what lay behind it: a folder, then what others put into it. */
const mostRounds = 5;

/**
 * Whether the state folder is this user's alone, and whether nobody else can change the settings;
 * with `fix` it is made so, as far as modes and `daemon.json` go.
 */
export function inspectFolder(
  folders: Folders,
  { fix }: { fix: boolean },
): { readonly problems: readonly Finding[]; readonly fixed: readonly string[] } {
  const fixed: string[] = [];
  let found = look(folders);
  for (let round = 0; fix && round < mostRounds && found.some(({ mend }) => mend); round++) {
    for (const exposure of found) fixed.push(...mend(exposure));
    found = look(folders);
  }
  const problems = found.map((one) => ({
    what: `${one.path} ${one.why}: no command believes what lies there.`,
    next: adviseOn([one]),
  }));
  return { problems, fixed };
}

function look(folders: Folders): readonly Exposure[] {
  const state = findExposed(folders, { withRun: true });
  const isNew = ({ path }: Exposure): boolean => !state.some((one) => one.path === path);
  return [...state, ...[...findExposedSettings(folders), ...findListed(folders)].filter(isNew)];
}

function mend({ path, mend }: Exposure): readonly string[] {
  if (!mend) return [];
  try {
    if (mend.kind === 'mode') chmodSync(path, mend.mode);
    else rmSync(path, { force: true });
  } catch (error) {
    // It stays a problem, which is told with the command that would mend it.
    if ((error as NodeJS.ErrnoException).code !== undefined) return [];
    throw error;
  }
  if (mend.kind === 'remove') return [`${path} is removed`];
  // Some file systems take a chmod and change nothing (drvfs of WSL): then it stays a problem.
  const isDone = (lstatSync(path).mode & 0o7777) === mend.mode;
  return isDone ? [`${path} is closed to others now`] : [];
}
