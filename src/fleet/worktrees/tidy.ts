import { lstat, readdir, realpath, rmdir } from 'node:fs/promises';
import { relative } from 'node:path';
import { type Agent, isUser } from '../../agents/agent.ts';
import { callName } from '../../agents/reference.ts';
import type { Worktree } from '../../agents/role.ts';
import { isMissing } from '../../providers/record-files.ts';
import { Fault } from '../../shared/fault.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { shellWord } from '../../shared/shell-word.ts';
import type { Ledger } from '../../store/ledger.ts';
import { findWork } from './judge.ts';
import { hasBranch } from './make.ts';
import { type GitPlace, runGit } from './run-git.ts';

/** What became of an agent's worktree when the agent went. */
export interface TidiedWorktree {
  readonly path: string;
  readonly branch: string;
  readonly outcome: 'removed' | 'kept';
  /** Why it was kept. */
  readonly reason?: string;
}

interface Parts {
  readonly ledger: Ledger;
  readonly ownEnv: Readonly<Record<string, string>>;
}

/**
 * Removes the worktree of an agent that is gone, if nothing is lost with it: never by force, and
 * never what another agent works in. Its branch goes only when all its commits are in the
 * repository's own HEAD. Never throws: whatever is not certain is kept, and said.
 */
export async function tidyWorktree(
  parts: Parts,
  agent: Agent,
): Promise<TidiedWorktree | undefined> {
  const { worktree } = agent;
  if (!worktree) return undefined;
  const { path, branch } = worktree;
  try {
    const reason = await tidy(parts, agent.id, worktree);
    if (reason !== undefined) return { path, branch, outcome: 'kept', reason };
    return { path, branch, outcome: 'removed' };
  } catch (error) {
    reportBug('tidying a worktree', error);
    const reason = error instanceof Error ? error.message : String(error);
    return { path, branch, outcome: 'kept', reason };
  }
}

/** Why it stays; undefined when it is gone. */
async function tidy(
  { ledger, ownEnv: env }: Parts,
  agent: string,
  worktree: Worktree,
): Promise<string | undefined> {
  const { path, repository } = worktree;
  const home: GitPlace = { cwd: repository, env, mayBeBare: true };
  if (!(await isFolder(repository))) return `its repository ${JSON.stringify(repository)} is gone`;
  if (await isFolder(path)) {
    const guest = await findGuest(ledger, agent, path);
    if (guest !== undefined) return `the agent "${guest}" works in it`;
    // Reserved by a launch that came no further.
    if ((await readdir(path)).length === 0) await rmdir(path);
    else {
      const work = await findWork({ cwd: path, env }, worktree);
      if (work !== undefined) return work;
      const removed = await runGit(home, ['worktree', 'remove', path]);
      if (removed.code !== 0) return removed.said || 'git refused to remove it';
    }
  }
  await dropBranch(home, worktree);
  return undefined;
}

/**
 * Without a commit of its own, or with all of them merged; git looks once more. What it refuses
 * stays, and loses nothing.
 */
async function dropBranch(home: GitPlace, { branch, base }: Worktree): Promise<void> {
  if (!(await hasBranch(home, branch))) return;
  const ref = `refs/heads/${branch}`;
  const tip = (await runGit(home, ['rev-parse', '--verify', '--quiet', ref])).stdout.trim();
  const merged = await runGit(home, ['merge-base', '--is-ancestor', ref, 'HEAD']);
  if (tip === base || merged.code === 0) await runGit(home, ['branch', '--quiet', '-d', branch]);
}

/** A child of its agent, say, that was launched without a worktree of its own. */
async function findGuest(ledger: Ledger, own: string, path: string): Promise<string | undefined> {
  const top = await realpath(path);
  const living = await ledger.read((tx) => tx.agents.list());
  for (const agent of living) {
    if (agent.id === own || isUser(agent) || agent.cwd === '') continue;
    // A folder that is gone has nobody in it, under whichever name.
    const way = relative(top, await realpath(agent.cwd).catch(() => agent.cwd));
    if (way !== '..' && !way.startsWith('../') && !way.startsWith('/')) return callName(agent);
  }
  return undefined;
}

/** Before a life begins in it again. */
export async function checkWorktree(agent: Agent): Promise<void> {
  const { worktree } = agent;
  // Of one that cannot be looked at nobody knows that it is gone; the launch itself says what is
  // wrong.
  if (!worktree || (await lstat(`${worktree.path}/.git`).catch((error) => !isMissing(error))))
    return;
  throw new Fault(
    'wrong-state',
    `The worktree of "${callName(agent)}" at ${JSON.stringify(worktree.path)} is gone; its branch was ${worktree.branch}.`,
    `Bring it back with \`git -C ${shellWord(worktree.repository)} worktree add -f ${shellWord(worktree.path)} ${shellWord(worktree.branch)}\`, or remove the agent with \`signalbox rm ${callName(agent)}\`.`,
  );
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    // Of one that cannot be looked at nobody knows that it is gone (rule 41): the worktree is kept,
    // with the reason.
    if (!isMissing(error)) throw error;
    return false;
  }
}
