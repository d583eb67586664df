import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { closeWorkspace } from '../model/closing.ts';
import { spawning } from '../model/launch.ts';
import { needWorkspace } from '../model/lookup.ts';
import type { Workspace } from '../model/panes.ts';
import { paneInfo, workspaceInfo } from '../model/records.ts';
import type { Session } from '../model/session.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { textOf } from '../wire/request-shapes.ts';
import type { Method } from './workspaces.ts';

/**
 * Worktrees of real repositories, by git. A workspace that stands in the main checkout becomes the
 * parent of the group, whoever made it and whether or not it was named: closing it closes the
 * group.
 */
export const worktreeMethods: Readonly<Record<string, Method>> = {
  'worktree.list': async (session, params) => {
    const source = await sourceOf(session, params, true);
    const entries = await listEntries(source.root);
    const worktrees = entries.map((entry) => entryInfo(session, source, entry));
    return { type: 'worktree_list', source: sourceInfo(source), worktrees };
  },
  /** Where a worktree goes that is given no path, and what its branch is called, is a guess. */
  'worktree.create': async (session, params) => {
    const source = await sourceOf(session, params, false);
    const branch = textOf(params, 'branch') ?? `worktree/${Date.now().toString(36)}`;
    const folder = join(process.env['HOME'] || homedir(), '.herdr', 'worktrees', source.name);
    const path = textOf(params, 'path') ?? join(folder, branch.replaceAll('/', '-'));
    const isThere = await tryGit(source.root, 'rev-parse', '--verify', `refs/heads/${branch}`);
    const words = isThere ? [path, branch] : ['-b', branch, path, textOf(params, 'base') ?? 'HEAD'];
    await git(source.root, 'worktree', 'add', ...words).catch((error: unknown) => {
      throw new ApiError('worktree_create_failed', String(error));
    });
    const opened = await open(session, source, realpathSync(path), params);
    const worktree = opened.info;
    const workspace = workspaceInfo(session, opened.workspace);
    session.emit('worktree_created', { workspace, worktree });
    return { type: 'worktree_created', ...created(session, opened.workspace), worktree };
  },
  'worktree.open': async (session, params) => {
    const [path, branch] = [textOf(params, 'path'), textOf(params, 'branch')];
    if ((path === undefined) === (branch === undefined)) {
      throw new ApiError('invalid_request', 'exactly one of path or branch is required');
    }
    const source = await sourceOf(session, params, false);
    const entry = (await listEntries(source.root)).find((each) =>
      path === undefined ? each.branch === branch : each.path === resolve(path),
    );
    if (!entry) throw new ApiError('worktree_not_found', 'worktree not found');
    const already_open = workspaceAt(session, entry.path) !== undefined;
    const opened = await open(session, source, entry.path, params);
    const worktree = opened.info;
    const workspace = workspaceInfo(session, opened.workspace);
    session.emit('worktree_opened', { workspace, worktree, already_open });
    const told = created(session, opened.workspace);
    return { type: 'worktree_opened', ...told, worktree, already_open };
  },
  'worktree.remove': async (session, params) => {
    const workspace = needWorkspace(session, String(params['workspace_id']));
    const { worktree: member } = workspace;
    if (!member?.isLinked) throw new ApiError('not_linked_worktree', 'not a linked worktree');
    const forced = params['force'] === true;
    const source = { ...member, workspace: undefined };
    const entries = await listEntries(member.root);
    const entry = entries.find(({ path }) => path === member.checkout);
    const words = ['worktree', 'remove', ...(forced ? ['--force'] : []), member.checkout];
    await git(member.root, ...words).catch((error: unknown) => {
      throw new ApiError('worktree_remove_failed', String(error));
    });
    const { id: workspace_id } = workspace;
    const last = workspaceInfo(session, workspace);
    await closeWorkspace(session, workspace);
    const worktree = entry && entryInfo(session, source, entry);
    session.emit('worktree_removed', { workspace_id, workspace: last, worktree, forced });
    return { type: 'worktree_removed', workspace_id, path: member.checkout, forced };
  },
};

interface Source {
  readonly key: string;
  readonly name: string;
  readonly root: string;
  readonly workspace: Workspace | undefined;
}

interface Entry {
  readonly path: string;
  readonly branch: string | undefined;
  readonly isBare: boolean;
  readonly isDetached: boolean;
  readonly isPrunable: boolean;
}

async function sourceOf(session: Session, params: Json, isListing: boolean): Promise<Source> {
  const id = textOf(params, 'workspace_id');
  const cwd = textOf(params, 'cwd');
  if (id !== undefined && cwd !== undefined) {
    throw new ApiError('invalid_request', 'only one of workspace_id or cwd may be supplied');
  }
  const named = id === undefined ? undefined : needWorkspace(session, id);
  const folder = cwd ?? (named ?? session.active)?.cwd;
  if (folder === undefined) {
    const message = 'workspace_id or cwd is required when no workspace is active';
    throw new ApiError('invalid_request', message);
  }
  if (!folder.startsWith('/')) {
    throw new ApiError('invalid_request', 'worktree path must be absolute');
  }
  const common = await tryGit(folder, 'rev-parse', '--path-format=absolute', '--git-common-dir');
  if (common === undefined) {
    const message = 'Herdr worktree actions require a path inside a Git work tree';
    throw new ApiError('not_git_worktree', message);
  }
  const own = await tryGit(folder, 'rev-parse', '--absolute-git-dir');
  if (own !== common && !isListing) {
    const message = 'New and open worktree actions start from the repo parent workspace.';
    throw new ApiError('linked_worktree_source', message);
  }
  const root = realpathSync(join(common, '..'));
  const parent = session.workspaces.find(
    ({ worktree }) => worktree?.key === common && !worktree.isLinked,
  );
  const workspace = named ?? parent ?? workspaceAt(session, root);
  return { key: common, name: basename(root), root, workspace };
}

/** Finds or makes the workspace of the checkout, with the parent that it then has. */
async function open(session: Session, source: Source, path: string, params: Json) {
  const parent = source.workspace ?? (await make(session, source.root));
  enrol(session, parent, source, source.root);
  if (!source.workspace) session.announceWorkspace(parent, false);
  const known = workspaceAt(session, path);
  const workspace = known ?? (await make(session, path));
  enrol(session, workspace, source, path);
  const label = textOf(params, 'label');
  if (label !== undefined) workspace.label = label;
  const focus = params['focus'] === true;
  if (!known) session.announceWorkspace(workspace, focus);
  else if (focus) session.show(workspace.activeTab.focusedPane);
  session.settle();
  const entries = await listEntries(source.root);
  const entry = entries.find((each) => each.path === path);
  return { workspace, info: entry && entryInfo(session, source, entry) };
}

async function make(session: Session, cwd: string): Promise<Workspace> {
  const { workspace } = await spawning('worktree_open_failed', () => session.addWorkspace({ cwd }));
  fresh.add(workspace);
  return workspace;
}

/** Not announced yet, so there is nothing to update. */
const fresh = new WeakSet<Workspace>();

function enrol(
  session: Session,
  workspace: Workspace,
  { key, name, root }: Source,
  checkout: string,
): void {
  const before = JSON.stringify(workspace.worktree);
  workspace.worktree = { key, name, root, checkout, isLinked: checkout !== root };
  if (fresh.delete(workspace) || JSON.stringify(workspace.worktree) === before) return;
  session.emit('workspace_updated', { workspace: workspaceInfo(session, workspace) });
}

function workspaceAt(session: Session, path: string): Workspace | undefined {
  return session.workspaces.find(
    ({ worktree, cwd }) => (worktree?.checkout ?? resolve(cwd)) === path,
  );
}

function created(session: Session, workspace: Workspace): Json {
  const tab = workspace.activeTab;
  return {
    workspace: workspaceInfo(session, workspace),
    tab: session.tabInfo(tab),
    root_pane: paneInfo(session, tab.focusedPane),
  };
}

function sourceInfo({ key, name, root, workspace }: Source): Json {
  return {
    repo_key: key,
    repo_name: name,
    repo_root: root,
    source_checkout_path: root,
    ...(workspace ? { source_workspace_id: workspace.id } : {}),
  };
}

function entryInfo(session: Session, source: Pick<Source, 'root'>, entry: Entry): Json {
  const open = workspaceAt(session, entry.path);
  return {
    path: entry.path,
    ...(entry.branch === undefined ? {} : { branch: entry.branch }),
    is_bare: entry.isBare,
    is_detached: entry.isDetached,
    is_prunable: entry.isPrunable,
    is_linked_worktree: entry.path !== source.root,
    ...(open ? { open_workspace_id: open.id } : {}),
    label: entry.branch ?? basename(entry.path),
  };
}

async function listEntries(root: string): Promise<readonly Entry[]> {
  const text = await git(root, 'worktree', 'list', '--porcelain');
  return text.split('\n\n').flatMap((block) => {
    const lines = block.split('\n');
    const value = (name: string) =>
      lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
    const path = value('worktree');
    if (path === undefined) return [];
    const branch = value('branch')?.replace(/^refs\/heads\//, '');
    const has = (name: string) =>
      lines.some((line) => line === name || line.startsWith(`${name} `));
    const [isBare, isDetached, isPrunable] = ['bare', 'detached', 'prunable'].map(has);
    const flags = {
      isBare: isBare === true,
      isDetached: isDetached === true,
      isPrunable: isPrunable === true,
    };
    return [{ path, branch, ...flags }];
  });
}

const run = promisify(execFile);

async function git(folder: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', folder, ...words]);
  return stdout.trim();
}

function tryGit(folder: string, ...words: readonly string[]): Promise<string | undefined> {
  return git(folder, ...words).catch(() => undefined);
}
