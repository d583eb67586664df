import { lstatSync, readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Folders } from '../../config/folders.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';

/**
 * What signalbox makes in its folders, by its path in them; docs/operations.md has the same list.
 * Nothing else is removed, in folders of these names either: SIGNALBOX_HOME may be a folder in
 * which other things lie. Of `profiles` and `detectors` that is what signalbox reads there.
 */
const ofState = [
  /^run\/daemon\.sock[^/]*$/,
  /^run\/agents\/agt_[^/]+$/,
  /^logs\/(daemon\.(log|stderr)|caught-errors\.jsonl)[^/]*$/,
  /^logs\/agents\/agt_[^/]+$/,
  /^(snapshots|spool)\/agt_[^/]+$/,
  /^hooks\/post(-event)?(\.new)?$/,
  /^herdr\/ldg_[^/]+$/,
  /^trust\/[0-9a-f]+\.json[^/]*$/,
  /^doctor\.probe_[0-9a-z]+$/,
  /^(daemon\.json|daemon\.down|user\.token|mcp-port|attention\.json|tmux\.sock|tmux\.conf|tmux-server\.json)(\.(new|\d+|new-\d+))?$/,
];
const ofConfig = [
  /^config\.yaml(\.new-\d+)?$/,
  /^profiles\/([^/]+\.md|\.[^/]+\.new-\d+)$/,
  /^detectors\/[^/]+\.yaml$/,
];
/** Folders that are looked into, and removed when nothing is left in them. */
const known =
  /^(run(\/agents)?|logs(\/agents)?|snapshots|spool|hooks|herdr|trust|profiles|detectors)$/;
/** Last: by these an interrupted removal is still told for ours. */
const traces = [/^ledger\.db(-wal|-shm|-wait|\.new-\S+)$/, /^daemon\.lock$/, /^ledger\.db$/];

export interface Purged {
  readonly removed: readonly string[];
  readonly kept: readonly Kept[];
}

interface Kept {
  readonly path: string;
  readonly why: string;
}

/** Removes what is ours in both folders, and the folders if nothing else is in them. */
export async function purge({ state, config }: Folders): Promise<Purged> {
  const removed: string[] = [];
  const strangers: Kept[] = [];
  const remove = (folder: string, patterns: readonly RegExp[]): void => {
    for (const name of listOr(folder, strangers)) {
      const found = sweep(folder, name, patterns);
      removed.push(...found.removed);
      strangers.push(...found.kept);
    }
  };
  remove(config, ofConfig);
  remove(state, ofState);
  await reachFailPoint('uninstall.purging');
  for (const pattern of traces) remove(state, [pattern]);
  const kept = [...unique(strangers), ...keepWorktrees(state)];
  for (const folder of new Set([state, config])) {
    if (kept.some(({ path }) => path === folder)) continue;
    const left = listOr(folder, kept).filter(
      (name) => !kept.some(({ path }) => path === join(folder, name)),
    );
    if (left.length > 0) kept.push({ path: folder, why: describeOthers(left) });
    else if (removeEmpty(folder)) removed.push(folder);
  }
  return { removed, kept };
}

/**
 * What is ours at this path, and below it; a link is removed, and not what it leads to. What the
 * system refuses, on a volume that is read-only say, is kept, and keeps nothing else.
 */
function sweep(root: string, path: string, patterns: readonly RegExp[]): Purged {
  try {
    return sweepAt(root, path, patterns);
  } catch (error) {
    // It went while we looked.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { removed: [], kept: [] };
    return {
      removed: [],
      kept: [{ path: join(root, path), why: `it cannot be removed: ${words(error)}` }],
    };
  }
}

function sweepAt(root: string, path: string, patterns: readonly RegExp[]): Purged {
  const full = join(root, path);
  const isFolder = lstatSync(full, { throwIfNoEntry: false })?.isDirectory() === true;
  if (patterns.some((it) => it.test(path))) {
    // Of a file that cannot be removed, `rmSync` of Node 20 says that it is no folder.
    if (isFolder) rmSync(full, { recursive: true, force: true });
    else unlinkSync(full);
    return { removed: [full], kept: [] };
  }
  const isHere = patterns.some((it) => it.source.includes(path.split('/')[0] ?? ''));
  if (!known.test(path) || !isHere || !isFolder) return { removed: [], kept: [] };
  const below = list(full).map((name) => sweep(root, `${path}/${name}`, patterns));
  const removed = below.flatMap((one) => one.removed);
  const kept = below.flatMap((one) => one.kept);
  const left = list(full);
  if (left.length === 0) return { removed: removeEmpty(full) ? [full] : removed, kept };
  const own = left.filter((name) => !kept.some((one) => one.path === join(full, name)));
  const others = own.length === 0 ? [] : [{ path: full, why: describeOthers(own) }];
  return { removed, kept: [...kept, ...others] };
}

function describeOthers(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `it has what is not signalbox's: ${names.slice(0, 3).join(', ')}${more}`;
}

/** Of one folder for state and settings both rounds tell. */
function unique(kept: readonly Kept[]): readonly Kept[] {
  return [...new Map(kept.map((one) => [one.path, one])).values()];
}

/** People's work may lie in them, committed nowhere. */
function* keepWorktrees(state: string): Generator<Kept> {
  const folder = join(state, 'worktrees');
  const unread: Kept[] = [];
  const names = listOr(folder, unread);
  if (unread.length > 0) return yield* unread;
  if (names.length === 0) return void removeEmpty(folder);
  const why = `agents' work may lie in it (${names.length}); look, then \`git worktree remove\` each`;
  yield { path: folder, why };
}

function listOr(folder: string, unread: Kept[]): readonly string[] {
  try {
    return list(folder);
  } catch (error) {
    unread.push({ path: folder, why: `it cannot be read: ${words(error)}` });
    return [];
  }
}

/** As the system says it; anything else is a mistake of ours. */
function words(error: unknown): string {
  if (error instanceof Error && 'syscall' in error) return error.message;
  throw error;
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // A file of that name is not ours.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/**
 * Not where it is a link of the user's, has been filled again, is where a disk is mounted, or lies
 * in a folder that may not be changed.
 */
function removeEmpty(folder: string): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOTEMPTY', 'EBUSY', 'EACCES', 'EPERM', 'EROFS'].includes(code)) return false;
    throw error;
  }
}
