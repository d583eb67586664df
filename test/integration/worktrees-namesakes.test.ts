import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentView, RemoveResult } from '../../src/protocol/agents.ts';
import { openRepository, repositoryAt } from '../support/repository.ts';
import { openLedger } from './fixtures/box.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

describe.runIf(hasTmux)('worktrees of agents of one name in two sessions', () => {
  test('each has a folder and a branch of its own; what goes with one leaves the other’s alone', async () => {
    const { station, repository, launch } = await openWorld();
    const shop = await launch('lead', 'shop');
    const web = await launch('lead', 'web');
    const branches = [shop, web].map(({ worktree }) => worktree?.branch);
    // The first was launched while the name was its alone.
    expect(branches).toEqual(['signalbox/lead', `signalbox/lead-${web.id.slice(-4)}`]);
    for (const { id, worktree } of [shop, web]) {
      expect(worktree?.path).toBe(
        join(station.home, 'worktrees', `repository-lead-${id.slice(-4)}`),
      );
      const inner = repositoryAt(worktree?.path ?? '');
      expect(inner.git('branch', '--show-current')).toBe(worktree?.branch);
    }
    // Its branch is free again, and is still no other's than a third agent's of that name.
    const { removed } = await station.ask<RemoveResult>('rm', 'shop/lead');
    expect(removed).toMatchObject([{ session: 'shop', worktree: { outcome: 'removed' } }]);
    expect(existsSync(web.worktree?.path ?? '')).toBe(true);
    expect(repository.git('branch', '--list', '--format=%(refname:short)', 'signalbox/*')).toBe(
      web.worktree?.branch,
    );
    const again = await launch('lead', 'shop');
    expect(again.worktree?.branch).toBe(`signalbox/lead-${again.id.slice(-4)}`);
    const restarted = await station.ask<{ agents: AgentView[] }>('restart', 'web/lead');
    expect(restarted.agents).toMatchObject([{ id: web.id, cwd: web.cwd, worktree: web.worktree }]);
    await station.ask('rm', 'web/lead', 'shop/lead');
    expect(readdirSync(join(station.home, 'worktrees'))).toEqual([]);
    expect(repository.git('branch', '--list', 'signalbox/*')).toBe('');
  });

  test('an agent of an older version keeps its worktree and its branch: found, restarted and removed under their names', {
    tags: ['full'],
  }, async () => {
    const { station, repository, launch } = await openWorld();
    const made = await launch('lead', 'default');
    const { worktree } = made;
    if (!worktree) throw new Error('no worktree');
    await station.ask('stop', 'lead');
    // As older versions named them.
    const old = { ...worktree, path: join(station.home, 'worktrees', 'repository-lead-2') };
    old.branch = 'signalbox/lead-2';
    repository.git('worktree', 'move', worktree.path, old.path);
    repository.git('branch', '--move', worktree.branch, old.branch);
    await station.run(['down']);
    const ledger = await openLedger(station.home);
    await ledger.write((tx) => tx.agents.setWorktree(made.id, old, old.path));

    const other = await launch('lead', 'web');
    expect(other.worktree?.path).not.toBe(old.path);
    const { agents } = await station.ask<{ agents: AgentView[] }>('restart', 'default/lead');
    expect(agents).toMatchObject([{ id: made.id, epoch: 2, cwd: old.path, worktree: old }]);
    expect((await station.run(['doctor', '--json'])).json()).not.toHaveProperty('worktrees.0');
    const { removed } = await station.ask<RemoveResult>('rm', 'default/lead');
    expect(removed).toMatchObject([
      { worktree: { path: old.path, branch: old.branch, outcome: 'removed' } },
    ]);
    expect(existsSync(old.path)).toBe(false);
    expect(existsSync(other.worktree?.path ?? '')).toBe(true);
    expect(repository.git('branch', '--list', '--format=%(refname:short)', 'signalbox/*')).toBe(
      other.worktree?.branch,
    );
  });
});

async function openWorld() {
  const station = await openStation();
  const repository = openRepository(join(station.home, 'repository'));
  repository.write('a.txt', 'a');
  repository.commit('first');
  const launch = async (name: string, session: string): Promise<AgentView> => {
    const wanted = ['--name', name, '--session', session, '--worktree', '--cwd', repository.path];
    const args = ['launch', 'generic', ...wanted, '--json', '--', 'sleep', '600'];
    const ended = await station.run(args);
    expect(ended.code, ended.stderr).toBe(0);
    return ended.json<AgentView>();
  };
  return { station, repository, launch };
}
