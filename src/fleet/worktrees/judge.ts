import { existsSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Worktree } from '../../agents/role.ts';
import { readOnce } from '../../shared/read-once.ts';
import { askGit, askLine, type GitPlace, runGit } from './run-git.ts';

/**
 * Why a worktree must stay: whatever in it exists nowhere else. Undefined when nothing does. What
 * git ignores does not count: it was copied here, or can be made again. A git that cannot answer is
 * a reason to stay.
 */
export async function findWork(place: GitPlace, worktree: Worktree): Promise<string | undefined> {
  // Its agent could write it: settings of another repository would name programs that git runs
  // here.
  if (!leadsHome(worktree)) return 'its .git no longer leads to its repository';
  const top = await runGit(place, ['rev-parse', '--show-toplevel']);
  const isItself = top.stdout.replace(/\n$/, '') === (await realpath(worktree.path));
  if (top.code !== 0 || !isItself) return 'it is no working tree of git any more';
  return (
    (await findUncommitted(place)) ??
    (await findUnfinished(place)) ??
    (await findUnmerged(place, worktree)) ??
    (await findStashed(place, worktree))
  );
}

/** Whether it is the file that `git worktree add` wrote, or git wrote anew since. */
function leadsHome({ path, repository }: Worktree): boolean {
  try {
    const link = readOnce(join(path, '.git'), largestLink);
    const [, folder] = /^gitdir: (.+?)\n?$/s.exec(link.bytes.toString()) ?? [];
    if (folder === undefined || link.realPath !== join(realpathSync(path), '.git')) return false;
    const own = join(repository, '.git');
    const home = realpathSync(existsSync(own) ? own : repository);
    return dirname(realpathSync(resolve(path, folder))) === join(home, 'worktrees');
  } catch {
    // Whatever cannot be read leads nowhere that is known: the worktree stays.
    return false;
  }
}

/** A line. */
const largestLink = 8 * 1024;

async function findUncommitted(place: GitPlace): Promise<string | undefined> {
  const status = await askGit(place, [
    ...['status', '--porcelain', '-z', '--untracked-files=all', '--ignore-submodules=none'],
  ]);
  if (status !== '') {
    const n = status.split('\0').length - 1;
    return `it has ${n === 1 ? 'a file' : `${n} files`} with changes that are not committed`;
  }
  // Files that git was told not to look at: a lower-case letter is assume-unchanged, S is
  // skip-worktree.
  const marked = await askGit(place, ['ls-files', '-z', '-v']);
  const isHidden = marked.split('\0').some((line) => /^([a-z]|S) /.test(line));
  return isHidden ? 'it has files that git was told not to look at' : undefined;
}

async function findUnfinished(place: GitPlace): Promise<string | undefined> {
  const folder = await askLine(place, ['rev-parse', '--absolute-git-dir']);
  const unfinished = steps.find((name) => existsSync(join(folder, name)));
  return unfinished && `a git operation in it is not finished (${unfinished})`;
}

const steps = [
  ...['rebase-merge', 'rebase-apply', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'],
  ...['BISECT_LOG', 'index.lock'],
];

/** Commits that no branch but its own, no remote and no tag holds. */
async function findUnmerged(place: GitPlace, { branch }: Worktree): Promise<string | undefined> {
  const current = await runGit(place, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const own = new Set([branch, current.stdout.trim()].filter(Boolean));
  const tips = ['HEAD'];
  const excluded: string[] = [];
  for (const name of own) {
    excluded.push(`--exclude=${name}`);
    const ref = `refs/heads/${name}`;
    if ((await runGit(place, ['show-ref', '--verify', '--quiet', ref])).code === 0) tips.push(ref);
  }
  const elsewhere = ['--not', ...excluded, '--branches', '--remotes', '--tags'];
  const count = await askLine(place, ['rev-list', '--count', ...tips, ...elsewhere]);
  if (count === '0') return undefined;
  return `${count === '1' ? 'a commit' : `${count} commits`} on ${[...own].join(', ') || 'it'} ${count === '1' ? 'is' : 'are'} neither merged nor pushed`;
}

/** All worktrees share one stash; its entries tell the branch they were made on. */
async function findStashed(place: GitPlace, { branch }: Worktree): Promise<string | undefined> {
  const list = await askGit(place, ['stash', 'list', '--format=%gs']);
  const isOwn = list
    .split('\n')
    .some((line) => line.startsWith(`WIP on ${branch}:`) || line.startsWith(`On ${branch}:`));
  return isOwn ? `there is stashed work of ${branch}` : undefined;
}
