import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Agent, createPuller } from '../../src/agents/agent.ts';
import type { Worktree } from '../../src/agents/role.ts';
import { makeWorktree } from '../../src/fleet/worktrees/make.ts';
import { surveyGround } from '../../src/fleet/worktrees/survey.ts';
import { checkWorktree, tidyWorktree } from '../../src/fleet/worktrees/tidy.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { openTrustBook } from '../../src/trust/book.ts';
import { tempHome } from '../support/home.ts';
import {
  gitEnvironment,
  openRepository,
  type Repository,
  repositoryAt,
} from '../support/repository.ts';

test('a worktree in which nothing was done goes, with its empty branch', async () => {
  const world = await openWorld();
  world.inner.write('ignored.log', 'made by a build');
  expect(await world.tidy()).toMatchObject({ outcome: 'removed' });
  expect(readdirSync(world.folder)).toEqual([]);
  expect(world.repository.git('branch', '--list', 'signalbox/*')).toBe('');
  expect(world.repository.git('worktree', 'list').split('\n')).toHaveLength(1);
});

test('a worktree whose commits are merged goes, with its branch', async () => {
  const world = await openWorld();
  world.inner.write('b.txt', 'b');
  world.inner.commit('second');
  world.repository.git('merge', '--quiet', '--ff-only', 'signalbox/worker');
  expect(await world.tidy()).toMatchObject({ outcome: 'removed' });
  expect(world.repository.git('branch', '--list', 'signalbox/*')).toBe('');
});

test('a worktree whose commits are pushed goes; its branch, which is not merged, stays', async () => {
  const world = await openWorld();
  world.repository.git('init', '--quiet', '--bare', join(world.home, 'remote.git'));
  world.repository.git('remote', 'add', 'origin', join(world.home, 'remote.git'));
  world.inner.write('b.txt', 'b');
  const commit = world.inner.commit('second');
  world.inner.git('push', '--quiet', '--set-upstream', 'origin', 'signalbox/worker');
  expect(await world.tidy()).toMatchObject({ outcome: 'removed' });
  expect(world.repository.git('rev-parse', 'signalbox/worker')).toBe(commit);
});

describe('kept, with everything in it, because', () => {
  const reasons: Record<string, readonly [RegExp, (inner: Repository, main: Repository) => void]> =
    {
      'of a changed file': [/changes that are not committed/, (i) => i.write('a.txt', 'changed')],
      'of a new file': [/changes that are not committed/, (i) => i.write('new/file.txt', 'new')],
      'of a staged file': [
        /changes that are not committed/,
        (i) => {
          i.write('new.txt', 'new');
          i.git('add', 'new.txt');
        },
      ],
      'of a change that git was told not to look at': [
        /told not to look at/,
        (i) => {
          i.git('update-index', '--assume-unchanged', 'a.txt');
          i.write('a.txt', 'changed');
        },
      ],
      'of a commit on its branch alone': [/a commit on signalbox\/worker is neither/, makeCommit],
      'of commits on another branch that was made in it': [
        /2 commits on signalbox\/worker, mine are neither/,
        (i) => {
          i.git('checkout', '--quiet', '-b', 'mine');
          makeCommit(i);
          i.write('c.txt', 'c');
          i.commit('third');
        },
      ],
      'of a commit on no branch': [
        /a commit on signalbox\/worker is neither/,
        (i) => {
          i.git('checkout', '--quiet', '--detach');
          makeCommit(i);
        },
      ],
      'of a commit on its branch while it stands elsewhere': [
        /a commit on signalbox\/worker is neither/,
        (i) => {
          makeCommit(i);
          i.git('checkout', '--quiet', '--detach', 'main');
        },
      ],
      'of stashed work': [
        /stashed work of signalbox\/worker/,
        (i) => {
          i.write('a.txt', 'changed');
          i.git('stash', 'push', '--quiet');
        },
      ],
      'of an unfinished merge': [
        /not finished/,
        (i, main) => {
          makeCommit(main);
          i.git('merge', '--quiet', '--no-commit', '--no-ff', 'main');
          i.git('reset', '--quiet', '--hard');
          i.git('merge', '--quiet', '--no-commit', '--no-ff', '--strategy=ours', 'main');
        },
      ],
      'somebody locked it': [/locked/, (i) => i.git('worktree', 'lock', i.path)],
    };
  for (const [why, [reason, act]] of Object.entries(reasons)) {
    test(why, async () => {
      const world = await openWorld();
      act(world.inner, world.repository);
      const before = readdirSync(world.inner.path);
      expect(await world.tidy()).toEqual({
        path: world.worktree.path,
        branch: 'signalbox/worker',
        outcome: 'kept',
        reason: expect.stringMatching(reason),
      });
      expect(readdirSync(world.inner.path)).toEqual(before);
      expect(world.repository.git('branch', '--list', 'signalbox/worker')).not.toBe('');
    });
  }

  test('another agent works in it', async () => {
    const world = await openWorld();
    mkdirSync(join(world.worktree.path, 'ignored.log'));
    const cwd = join(world.worktree.path, 'ignored.log');
    const guest = { ...createPuller('agt_guest', 1), name: 'guest', session: 'default' };
    await world.ledger.write((tx) => tx.agents.insert({ ...guest, notify: true, cwd }));
    expect(await world.tidy()).toMatchObject({ outcome: 'kept', reason: /"guest" works in it/ });
  });

  test('rule 41: its folder cannot be looked at, which proves nothing', async () => {
    const world = await openWorld();
    const loop = join(world.home, 'loop');
    symlinkSync(loop, loop);
    const unseen = { ...world.worktree, path: join(loop, 'repository-worker') };
    expect(await world.tidy(undefined, unseen)).toMatchObject({ outcome: 'kept', reason: /ELOOP/ });
    expect(world.repository.git('branch', '--list', 'signalbox/worker')).not.toBe('');
    await checkWorktree({ ...world.agent, worktree: unseen });
  });

  test('its repository is gone, or git cannot be asked', async () => {
    const world = await openWorld();
    expect(await world.tidy({ PATH: '/nonexistent' })).toMatchObject({ outcome: 'kept' });
    rmSync(world.repository.path, { recursive: true });
    expect(await world.tidy()).toMatchObject({ outcome: 'kept', reason: /repository .* is gone/ });
    expect(existsSync(join(world.worktree.path, 'a.txt'))).toBe(true);
  });
});

test('what a launch left that was killed half-way: a reserved folder, a branch, or both', async () => {
  const world = await openWorld();
  const { repository, folder } = world;
  const path = join(folder, 'repository-half');
  mkdirSync(path);
  repository.git('branch', 'signalbox/half');
  const half = { ...world.worktree, path, branch: 'signalbox/half' };
  expect(await world.tidy(undefined, half)).toMatchObject({ outcome: 'removed' });
  expect(existsSync(path)).toBe(false);
  expect(repository.git('branch', '--list', 'signalbox/half')).toBe('');
  // And nothing at all.
  expect(await world.tidy(undefined, half)).toMatchObject({ outcome: 'removed' });
});

test('a half-made checkout is kept and said', async () => {
  const world = await openWorld();
  rmSync(join(world.worktree.path, '.git'));
  expect(await world.tidy()).toMatchObject({ outcome: 'kept', reason: /no working tree of git/ });
});

test('a worktree that is gone is a fault before a life begins in it', async () => {
  const world = await openWorld();
  await checkWorktree(world.agent);
  rmSync(world.worktree.path, { recursive: true });
  await expect(checkWorktree(world.agent)).rejects.toMatchObject({
    code: 'wrong-state',
    message: expect.stringContaining('is gone; its branch was signalbox/worker'),
  });
});

function makeCommit(repository: Repository): void {
  repository.write('b.txt', 'b');
  repository.commit('second');
}

async function openWorld() {
  const home = tempHome();
  const repository = openRepository(join(home, 'repository'));
  repository.write('a.txt', 'a');
  repository.write('.gitignore', 'ignored.log\n');
  repository.commit('first');
  const folder = join(home, 'worktrees');
  const ledger = new MemoryLedger();
  let worktree: Worktree | undefined;
  const env = gitEnvironment();
  const parts = { trust: openTrustBook({ config: home, state: home }), ownEnv: env };
  const ground = await surveyGround(parts, { cwd: repository.path }, env);
  const cwd = await makeWorktree({
    ...{ agent: { id: 'agt_worker', name: 'worker' }, hasNamesakes: false },
    ...{ ground, folder, umask: 0o022 },
    note: async (noted) => {
      worktree = noted;
    },
  });
  if (!worktree) throw new Error('not noted');
  const agent: Agent = {
    ...{ ...createPuller('agt_worker', 1), name: 'worker', session: 'default' },
    ...{ notify: true, cwd, worktree },
  };
  const tidy = (env = gitEnvironment(), made = agent.worktree as Worktree) =>
    tidyWorktree({ ledger, ownEnv: env }, { ...agent, worktree: made });
  return { home, repository, folder, ledger, agent, worktree, inner: repositoryAt(cwd), tidy };
}
