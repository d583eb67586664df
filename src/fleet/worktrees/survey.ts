import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../shared/fault.ts';
import { requireTrusted } from '../../trust/require-trusted.ts';
import { readWorkingFile, type WorkingFile } from '../../trust/working-file.ts';
import { filterEnvironment } from '../environment.ts';
import type { FleetParts } from '../parts.ts';
import { listName } from './copy-included.ts';
import { findRepository, type Repository } from './find-repository.ts';
import type { GitPlace } from './run-git.ts';

/** What a worktree is made from, before anything is made. */
export interface Ground {
  readonly place: GitPlace;
  readonly repository: Repository;
  /** Which files are copied that git does not keep; trusted by the user (rule 46). */
  readonly list?: WorkingFile;
}

/** Patterns. */
const maxBytes = 64 * 1024;

/**
 * Looks at the repository, and refuses it where its `.worktreeinclude` is not trusted. Git is found
 * by the daemon's own PATH and gets no variable of a profile or of `--env`: what is launched does
 * not decide what we execute.
 */
export async function surveyGround(
  { trust, ownEnv }: Pick<FleetParts, 'trust' | 'ownEnv'>,
  { cwd }: { readonly cwd: string },
  callerEnv: Readonly<Record<string, string>>,
): Promise<Ground> {
  const { PATH: _, ...inherited } = filterEnvironment(callerEnv, {});
  const { PATH } = ownEnv;
  const place = { cwd, env: PATH === undefined ? inherited : { ...inherited, PATH } };
  const repository = await findRepository(place);
  const list = readList(join(repository.workingTree, listName));
  if (list) requireTrusted(trust, list);
  return { place, repository, ...(list ? { list } : {}) };
}

/** Only a file counts: a link could show another list to everybody who looks. */
export function readList(path: string): WorkingFile | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  try {
    return readWorkingFile(path, 'worktree-list', maxBytes);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault('launch-failed', `${path} cannot be read: ${why}.`, 'Mend it, or remove it.', {
      cause: error,
    });
  }
}
