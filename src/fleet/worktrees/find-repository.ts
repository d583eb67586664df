import { basename, dirname } from 'node:path';
import { Fault } from '../../shared/fault.ts';
import { askLine, type GitPlace, runGit } from './run-git.ts';

export interface Repository {
  /** The working tree that the folder belongs to; it may itself be a linked one. */
  readonly workingTree: string;
  /** The folder inside it, '' for the top. */
  readonly prefix: string;
  /**
   * The repository's first working tree, or the repository itself where it has none: it outlives
   * every linked one.
   */
  readonly main: string;
  readonly head: string;
}

/** What a worktree for this folder is made from. */
export async function findRepository(place: GitPlace): Promise<Repository> {
  const { cwd } = place;
  const top = await runGit(place, ['rev-parse', '--show-toplevel']);
  if (top.code !== 0) {
    throw new Fault(
      'invalid-input',
      `${JSON.stringify(cwd)} is in no working tree of git (${top.said}).`,
      'Launch without --worktree, or give a folder of a repository with --cwd.',
    );
  }
  const head = await runGit(place, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head.code !== 0) {
    throw new Fault(
      'invalid-input',
      `The repository of ${JSON.stringify(cwd)} has no commit yet; a worktree begins with one.`,
      'Make a first commit, or launch without --worktree.',
    );
  }
  const common = await askLine(place, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  return {
    workingTree: top.stdout.replace(/\n$/, ''),
    prefix: (await askLine(place, ['rev-parse', '--show-prefix'])).replace(/\/$/, ''),
    main: basename(common) === '.git' ? dirname(common) : common,
    head: head.stdout.trim(),
  };
}
