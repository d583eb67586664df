import { constants } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { Fault } from '../../shared/fault.ts';
import { formatSize } from '../../shared/units.ts';
import type { WorkingFile } from '../../trust/working-file.ts';
import { askGit, type GitEnd, type GitPlace, runGit } from './run-git.ts';

/** Settings and keys are small; dependencies are better installed than copied. */
const maxFiles = 2000;
const maxBytes = 256 * 1024 * 1024;
/** Of a walk through everything that git ignores, such as a large folder of dependencies. */
const listMs = 30_000;

/** At the top of a working tree. */
export const listName = '.worktreeinclude';

/**
 * Files that a repository wants in its worktrees although git does not keep them: those that git
 * ignores and that match a pattern of `.worktreeinclude`, written like a `.gitignore`. Git itself
 * reads the patterns, both times. Paths from the working tree's top.
 */
export async function listIncluded(
  place: GitPlace,
  list: Pick<WorkingFile, 'bytes'>,
): Promise<readonly string[]> {
  const deadline = { deadlineMs: listMs };
  // Git reads what was judged, and not what stands under that name by now.
  const own = await mkdtemp(join(tmpdir(), 'signalbox-list-'));
  let matching = '';
  try {
    const patterns = join(own, 'patterns');
    await writeFile(patterns, list.bytes, { mode: 0o600 });
    const listed = ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${patterns}`];
    matching = await askGit(place, listed, deadline);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  if (matching === '') return [];
  // 1 means that git ignores none of them.
  const ignored = await runGit(place, ['check-ignore', '-z', '--stdin'], {
    ...deadline,
    input: matching,
  });
  if (ignored.code !== 0 && ignored.code !== 1) throw unanswered(place, ignored);
  // What ends in a slash is another repository.
  const files = ignored.stdout.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
  if (files.length > maxFiles) throw tooMuch(`names ${files.length} files, more than ${maxFiles}`);
  let bytes = 0;
  for (const path of files) {
    bytes += await sizeOf(join(place.cwd, path));
  }
  if (bytes > maxBytes)
    throw tooMuch(`names ${formatSize(bytes)}, more than ${formatSize(maxBytes)}`);
  return files;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    // It went away since git named it. Of any other file the size must be known, or the limit is
    // none.
    if (gone.has((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw uncopied(path, error);
  }
}

/** Nothing is read from outside the working tree, written outside the worktree, or written over. */
export async function copyIncluded(
  workingTree: string,
  worktree: string,
  files: readonly string[],
  umask: number,
  mostBytes = maxBytes,
): Promise<void> {
  const [from, to] = [await realpath(workingTree), await realpath(worktree)];
  let left = mostBytes;
  for (const path of files) {
    const [source, target] = [join(from, path), join(to, path)];
    try {
      if (!(await isWithin(dirname(source), from))) continue;
      // A folder here may be a link there: the commit and the working tree need not agree.
      if (!(await isWithin(await findExisting(dirname(target)), to))) continue;
      await mkdir(dirname(target), { recursive: true, mode: 0o777 & ~umask });
      const found = await lstat(source);
      if (found.isSymbolicLink()) await copyLink(source, target, from);
      else if (found.isFile()) {
        const mode = found.mode & 0o777 & ~umask;
        left -= await copyFile(source, target, { mode, left });
      }
    } catch (error) {
      if (error instanceof Fault) throw error;
      if (gone.has((error as NodeJS.ErrnoException).code ?? '')) continue;
      throw uncopied(path, error);
    }
  }
}

/** It vanished or changed its kind since it was listed, or the commit has a file there. */
const gone: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EEXIST']);

/** As a link, and only one that leads to something inside. */
async function copyLink(source: string, target: string, top: string): Promise<void> {
  const leadsTo = await readlink(source);
  const isInside = !leadsTo.startsWith('/') && isBelow(resolve(dirname(source), leadsTo), top);
  if (isInside && (await isWithin(source, top))) await symlink(leadsTo, target);
}

/**
 * Whole or not at all: one that has grown since it was listed is no half of itself. Returns how
 * many bytes it had.
 */
async function copyFile(
  source: string,
  target: string,
  { mode, left }: { readonly mode: number; readonly left: number },
): Promise<number> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handles: FileHandle[] = [];
  try {
    const from = await open(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    handles.push(from);
    const to = await open(target, 'wx', 0o600);
    handles.push(to);
    // Whatever our own umask is.
    await to.chmod(mode);
    const chunk = Buffer.alloc(1024 * 1024);
    for (let copied = 0; ; ) {
      const { bytesRead } = await from.read(chunk);
      if (bytesRead === 0) return copied;
      copied += bytesRead;
      if (copied > left) throw tooMuch(`names ${JSON.stringify(source)}, which has grown`);
      await to.writeFile(chunk.subarray(0, bytesRead));
    }
  } finally {
    for (const handle of handles) await handle.close();
  }
}

/** The nearest folder above that is there, or what stands in its place. */
async function findExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    try {
      await lstat(at);
      return at;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(at) === at) throw error;
    }
  }
}

async function isWithin(path: string, top: string): Promise<boolean> {
  return isBelow(await realpath(path), top);
}

function isBelow(path: string, top: string): boolean {
  const way = relative(top, path);
  return way !== '..' && !way.startsWith('../');
}

function uncopied(path: string, error: unknown): Fault {
  return new Fault(
    'launch-failed',
    `${JSON.stringify(path)} cannot be copied into the worktree: ${error instanceof Error ? error.message : String(error)}.`,
    `Fix that, or take it out of ${listName}.`,
    { cause: error },
  );
}

/** Without an answer nobody knows which of them git ignores. */
function unanswered({ cwd }: GitPlace, { code, said }: GitEnd): Fault {
  return new Fault(
    'launch-failed',
    `git check-ignore failed in ${JSON.stringify(cwd)}: ${said || `exit ${code}`}.`,
    'Mend that, and try again.',
  );
}

function tooMuch(what: string): Fault {
  return new Fault(
    'launch-failed',
    `${listName} ${what}: that is too much to copy for one agent.`,
    'Name fewer files in it; let the agent install what can be installed.',
  );
}
