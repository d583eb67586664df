import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Json, openHerdr, text, type World } from './world.ts';

test('a workspace in the main checkout becomes the parent of a group, unasked', async () => {
  const world = await openHerdr();
  const repository = makeRepository(world);
  const { workspace } = await world.workspace({ cwd: repository });
  expect(await info(world, workspace)).not.toHaveProperty('worktree');
  const talk = await world.subscribe('workspace.updated');
  const { linked, path } = await addWorktree(world, repository, 'one');
  await talk.untilEvent('workspace_updated');
  const member = { repo_name: 'repo', repo_root: repository, repo_key: expect.any(String) };
  expect(await info(world, workspace)).toMatchObject({
    worktree: { ...member, checkout_path: repository, is_linked_worktree: false },
  });
  expect(await info(world, linked)).toMatchObject({
    worktree: { ...member, checkout_path: path, is_linked_worktree: true },
  });
});

test('closing the parent closes the group, and tells of the parent alone', async () => {
  const world = await openHerdr();
  const repository = makeRepository(world);
  const { workspace } = await world.workspace({ cwd: repository });
  const { path } = await addWorktree(world, repository, 'one');
  const bystander = await world.workspace();
  const talk = await world.subscribe('workspace.closed');
  await world.ask('workspace.close', { workspace_id: workspace });
  expect(await workspaceIds(world)).toEqual([bystander.workspace]);
  await talk.untilEvent('workspace_closed', { workspace_id: workspace });
  expect(talk.events).toHaveLength(1);
  expect(existsSync(path)).toBe(true);
});

test('closing a linked one closes it alone', async () => {
  const world = await openHerdr();
  const repository = makeRepository(world);
  const { workspace } = await world.workspace({ cwd: repository });
  const { linked } = await addWorktree(world, repository, 'one');
  await world.ask('workspace.close', { workspace_id: linked });
  expect(await workspaceIds(world)).toEqual([workspace]);
  // Nothing hangs on it any more.
  await world.ask('workspace.close', { workspace_id: workspace });
  expect(await workspaceIds(world)).toEqual([]);
});

test('a last tab or pane does not take a group along', async () => {
  const world = await openHerdr();
  const repository = makeRepository(world);
  const { workspace, tab, pane } = await world.workspace({ cwd: repository });
  const { linked } = await addWorktree(world, repository, 'one');
  expect(await world.refusal('tab.close', { tab_id: tab })).toBe('confirmation_required');
  expect(await world.refusal('pane.close', { pane_id: pane })).toBe('confirmation_required');
  expect(await workspaceIds(world)).toEqual([workspace, linked]);
  const second = await world.split(pane);
  await world.ask('pane.close', { pane_id: second });
});

test('worktrees are listed, opened and removed; the group outlives the server', async () => {
  const world = await openHerdr();
  const repository = makeRepository(world);
  const { workspace } = await world.workspace({ cwd: repository });
  const { linked, path } = await addWorktree(world, repository, 'one');
  const { source, worktrees } = await world.ask('worktree.list', { workspace_id: workspace });
  expect(source).toMatchObject({ repo_root: repository, source_workspace_id: workspace });
  expect(worktrees).toMatchObject([
    { path: repository, is_linked_worktree: false, open_workspace_id: workspace },
    { path, branch: 'one', is_linked_worktree: true, open_workspace_id: linked },
  ]);
  const again = await world.ask('worktree.open', { workspace_id: workspace, branch: 'one' });
  expect(again).toMatchObject({ already_open: true, workspace: { workspace_id: linked } });
  await world.ask('server.stop');
  await world.herdr.restart();
  expect(await info(world, linked)).toMatchObject({ worktree: { is_linked_worktree: true } });
  const removed = await world.ask('worktree.remove', { workspace_id: linked });
  expect(removed).toMatchObject({ type: 'worktree_removed', path, forced: false });
  expect(existsSync(path)).toBe(false);
  expect(await workspaceIds(world)).toEqual([workspace]);
  expect(await world.refusal('worktree.list', { cwd: world.herdr.folder })).toBe(
    'not_git_worktree',
  );
});

function makeRepository(world: World): string {
  const path = join(world.herdr.folder, 'repo');
  mkdirSync(path);
  const git = (...words: string[]) => execFileSync('git', ['-C', path, ...words]);
  git('init', '-q', '-b', 'main');
  const who = ['-c', 'user.name=n', '-c', 'user.email=e@x'];
  git(...who, 'commit', '-q', '--allow-empty', '-m', 'first');
  return path;
}

async function addWorktree(world: World, cwd: string, branch: string) {
  const path = join(world.herdr.folder, `repo-${branch}`);
  const made = await world.ask('worktree.create', { cwd, branch, path });
  expect(made).toMatchObject({ type: 'worktree_created', worktree: { path, branch } });
  return { linked: text(made['workspace'], 'workspace_id'), path };
}

async function workspaceIds(world: World): Promise<readonly string[]> {
  const { workspaces } = await world.ask('workspace.list');
  return (workspaces as Json[]).map((each) => text(each, 'workspace_id'));
}

async function info(world: World, id: string): Promise<Json> {
  const { workspace } = await world.ask('workspace.get', { workspace_id: id });
  return workspace as Json;
}
