import { realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isDiskTrouble } from './disk-trouble.ts';
import { Fault } from './fault.ts';
import { readOnce } from './read-once.ts';
import { shellWord } from './shell-word.ts';

/** Longer ones hold no path that the system takes. */
const mostBytes = 8192;

/**
 * The folder of the main working tree that this folder belongs to, or the repository itself where
 * it has none (a bare one with linked working trees); undefined outside of git. It is read from the
 * files that git keeps: git itself would run what the repository's settings name
 * (`core.fsmonitor`), and would follow GIT_DIR of whoever asks.
 */
export function findGitRoot(folder: string): string | undefined {
  // Of whoever asks: to us, who may run elsewhere, it would mean another folder.
  const start = isAbsolute(folder) ? findReal(folder) : undefined;
  if (start === undefined) return undefined;
  for (let at = start; ; at = dirname(at)) {
    const root = readRootAt(at);
    if (root !== undefined) return root;
    if (dirname(at) === at) return undefined;
  }
}

/** As git does, what is no repository is passed over, and the folder above is looked at. */
function readRootAt(folder: string): string | undefined {
  const path = join(folder, '.git');
  const entry = findEntry(path);
  if (entry?.isDirectory()) return isRepository(path) ? folder : undefined;
  if (!entry?.isFile()) return undefined;
  const [, named] = /^gitdir: (.+)$/.exec(readLine(path) ?? '') ?? [];
  const repository = named === undefined ? undefined : findReal(resolve(folder, named));
  if (repository === undefined || !isRepository(repository)) return undefined;
  return findMain(folder, repository) ?? folder;
}

/**
 * Of a linked working tree. Both sides must name each other, and its notes lie where git puts them:
 * a folder that somebody unpacked must not pass for a part of another project. Undefined for all
 * else, such as a submodule, which is a project of its own.
 */
function findMain(folder: string, repository: string): string | undefined {
  const shared = readLine(join(repository, 'commondir'));
  const common = shared === undefined ? undefined : findReal(resolve(repository, shared));
  if (common === undefined || dirname(repository) !== join(common, 'worktrees')) return undefined;
  const back = readLine(join(repository, 'gitdir'));
  const isNamed = back !== undefined && resolve(repository, back) === join(folder, '.git');
  const isSame = back !== undefined && findReal(resolve(repository, back)) === join(folder, '.git');
  if (!isNamed && !isSame) return undefined;
  return basename(common) === '.git' ? dirname(common) : common;
}

function isRepository(path: string): boolean {
  return findEntry(join(path, 'HEAD')) !== undefined;
}

function findEntry(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // What we may not look at is no repository for us, as for git.
    return nothingOf(error, path);
  }
}

function findReal(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    // It is gone, or closed to us: then it leads nowhere.
    return nothingOf(error, path);
  }
}

/** Its first line. */
function readLine(path: string): string | undefined {
  try {
    return readOnce(path, mostBytes).bytes.toString('utf8').split('\n', 1)[0]?.trimEnd();
  } catch (error) {
    // Missing, or nothing that git writes: no repository.
    return nothingOf(error, path);
  }
}

/** An agent must not get another session because a file could not be read just now. */
export function nothingOf(error: unknown, path: string): undefined {
  if (!isDiskTrouble(error)) return undefined;
  throw new Fault(
    'disk-trouble',
    `signalbox cannot tell which project this is, because ${path} could not be read (${error.code}).`,
    `Try again once \`ls -la ${shellWord(dirname(path))}\` shows it.`,
    { cause: error },
  );
}
