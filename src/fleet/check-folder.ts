// Tests: test/contracts/working-folder.alone.test.ts.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import { codeOf } from '../providers/record-files.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';

/** Before a launch: whether a program can be started in this folder. */
export async function checkFolder(cwd: string): Promise<void> {
  requireAbsolute(cwd);
  const trouble = await findTrouble(cwd);
  if (!trouble) return;
  throw refuse(
    trouble,
    `The working folder ${quote(cwd, 200)} ${trouble.what}.`,
    'give another folder with --cwd',
  );
}

/** The same before a restart, which needs the folder of that agent. */
export async function checkFolderOf(agent: Agent): Promise<void> {
  const { cwd, worktree } = agent;
  const name = callName(agent);
  const trouble = await findTrouble(cwd);
  if (!trouble) return;
  throw refuse(
    trouble,
    `The working folder of "${name}" ${trouble.gone ?? trouble.what}: ${quote(cwd, 200)}.`,
    // One with a worktree is not moved out of it.
    worktree
      ? undefined
      : `let it work elsewhere with \`signalbox restart ${name} --cwd <folder>\``,
  );
}

function refuse({ isUnknown, remedy, cause }: Trouble, what: string, or?: string): Fault {
  return new Fault(
    isUnknown ? 'launch-failed' : 'invalid-input',
    what,
    `${remedy}${or === undefined ? '' : `, or ${or}`}.`,
    { cause },
  );
}

/** The daemon has a folder of its own, and nobody means that one. */
export function requireAbsolute(cwd: string): void {
  if (isAbsolute(cwd)) return;
  throw new Fault(
    'invalid-input',
    `The working folder ${quote(cwd, 200)} is a relative path.`,
    'Give the whole path, from / on.',
  );
}

interface Trouble {
  /** What follows "the working folder". */
  readonly what: string;
  /** The same of a folder that was there before. */
  readonly gone?: string;
  readonly remedy: string;
  /** Nobody knows whether the folder is there. */
  readonly isUnknown?: true;
  readonly cause?: unknown;
}

/**
 * Where tmux cannot enter the folder that it was given, it starts the program in its own (seen in
 * 3.3a). So the right to enter is asked for, too.
 */
async function findTrouble(cwd: string): Promise<Trouble | undefined> {
  try {
    if (!(await stat(cwd)).isDirectory()) return known['ENOTDIR'];
    await access(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { ...(known[code] ?? unknown(code)), cause: error };
  }
}

const closed: Trouble = {
  what: 'is closed to signalbox: it may not enter it, or a folder above it',
  remedy: 'Open those folders to yourself (`chmod u+x`)',
};

/** Only ENOENT says that it is not there (rule 41). */
const known: Readonly<Record<string, Trouble>> = {
  ENOENT: { what: 'does not exist', gone: 'is gone', remedy: 'Make it' },
  ENOTDIR: {
    what: 'is no folder: it, or a part of its path, is a file',
    remedy: 'Correct the path',
  },
  EACCES: closed,
  // macOS, of a folder that its privacy settings protect.
  EPERM: closed,
  ELOOP: {
    what: 'leads in a circle: links on its path point at each other',
    remedy: 'Repair those links',
  },
  ENAMETOOLONG: {
    what: 'has a path that is too long for this system',
    remedy: 'Shorten the path',
  },
};

function unknown(code: string): Trouble {
  return {
    what: `cannot be looked at (${code}), so signalbox does not know whether it is there`,
    remedy: 'Try again once `ls -ld` shows it',
    isUnknown: true,
  };
}
