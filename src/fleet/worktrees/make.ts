import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import type { Worktree } from '../../agents/role.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import { Fault } from '../../shared/fault.ts';
import { copyIncluded, listIncluded } from './copy-included.ts';
import type { Repository } from './find-repository.ts';
import { nameBranches, nameFolders } from './name-worktree.ts';
import { askGit, checkoutMs, type GitPlace, runGit } from './run-git.ts';
import type { Ground } from './survey.ts';

export interface WantedWorktree {
  readonly agent: Pick<Agent, 'id' | 'name'>;
  /** Other living agents have its name, in other sessions. */
  readonly hasNamesakes: boolean;
  /** What it is made from. */
  readonly ground: Ground;
  /** Of its agent: what is made there is as if the agent had made it. */
  readonly umask: number;
  /** The folder that all worktrees lie in. */
  readonly folder: string;
  /** Written down before anything is made, so that a crash leaves nothing that nobody knows of. */
  readonly note: (worktree: Worktree, cwd: string) => Promise<void>;
}

/**
 * A git worktree on a branch of its own for one agent; answers with the folder inside it that its
 * agent works in. Places are taken by `mkdir`, branches by `git branch`, which both refuse what is
 * there already: two at once never share one.
 */
export async function makeWorktree(wanted: WantedWorktree): Promise<string> {
  const { umask } = wanted;
  const { place, repository, list } = wanted.ground;
  const included = list ? await listIncluded({ ...place, cwd: repository.workingTree }, list) : [];
  const branch = await findFreeBranch(place, wanted);
  const path = await reserveFolder(wanted, repository);
  const made = { path, branch, repository: repository.main, base: repository.head };
  const cwd = join(path, repository.prefix);
  await wanted.note(made, cwd).catch(async (error: unknown) => {
    // It is empty, and what went wrong first is the one to tell.
    await rmdir(path).catch(() => undefined);
    throw error;
  });
  await reachFailPoint('worktree.noted');
  const taken = await takeBranch(place, wanted, made, cwd);
  await reachFailPoint('worktree.branched');
  await askGit(place, ['worktree', 'add', '--quiet', path, taken], {
    deadlineMs: checkoutMs,
    umask,
  });
  await reachFailPoint('worktree.added');
  await copyIncluded(repository.workingTree, path, included, umask);
  // A folder that holds nothing that git knows is not in a checkout.
  await mkdir(cwd, { recursive: true, mode: 0o777 & ~umask });
  return cwd;
}

async function reserveFolder(
  { folder, agent }: WantedWorktree,
  { main }: Repository,
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw noPlace(folder, error);
  });
  const names = nameFolders(main, agent);
  for (const name of names) {
    const path = join(folder, name);
    try {
      await mkdir(path, { mode: 0o700 });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw noPlace(path, error);
    }
  }
  throw allTaken(names.map((name) => join(folder, name)));
}

/** As it looks now; somebody may take it before us. */
async function findFreeBranch(place: GitPlace, wanted: WantedWorktree): Promise<string> {
  // A branch called `signalbox` leaves no room for branches below that name.
  const prefix = (await hasBranch(place, 'signalbox')) ? 'signalbox-' : 'signalbox/';
  const names = nameBranches(prefix, wanted.agent, wanted.hasNamesakes);
  for (const name of names) {
    if (!(await hasBranch(place, name))) return name;
  }
  throw allTaken(names);
}

/**
 * Ours once `git branch` has made it: it refuses one that exists. Noted anew where another was
 * quicker.
 */
async function takeBranch(
  place: GitPlace,
  wanted: WantedWorktree,
  worktree: Worktree,
  cwd: string,
): Promise<string> {
  let { branch } = worktree;
  // Ends with all names taken, or with a branch that nobody else wants: its name has our id.
  for (;;) {
    const made = await runGit(place, ['branch', '--no-track', branch, worktree.base]);
    if (made.code === 0) return branch;
    if (!(await hasBranch(place, branch))) {
      throw new Fault(
        'launch-failed',
        `The branch "${branch}" could not be made: ${made.said}.`,
        'Mend that in the repository, or launch under another name.',
      );
    }
    branch = await findFreeBranch(place, wanted);
    await wanted.note({ ...worktree, branch }, cwd);
  }
}

export async function hasBranch(place: GitPlace, branch: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  return (await runGit(place, ['show-ref', '--verify', '--quiet', ref])).code === 0;
}

function noPlace(path: string, error: unknown): Fault {
  const why = error instanceof Error ? error.message : String(error);
  return new Fault(
    'launch-failed',
    `There is no place for a worktree at ${JSON.stringify(path)}: ${why}.`,
    'Make room there, or launch without --worktree.',
    { cause: error },
  );
}

function allTaken(names: readonly string[]): Fault {
  return new Fault(
    'launch-failed',
    `Worktrees or branches of all names for this agent exist: ${names.map((name) => JSON.stringify(name)).join(', ')}.`,
    'Remove those that are not needed any more; `signalbox doctor --all` lists the worktrees.',
  );
}
