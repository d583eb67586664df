import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentView, RemoveResult } from '../../src/protocol/agents.ts';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { openRepository, repositoryAt } from '../support/repository.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

describe.runIf(hasTmux)('launch --worktree, through the composed daemon', () => {
  test('an agent works in its worktree, restarts in it, and leaves nothing when it goes', async () => {
    const { station, repository, launch } = await openWorld();
    const agent = await launch('worker');
    const { worktree } = agent;
    if (!worktree) throw new Error('no worktree');
    expect(agent.cwd).toBe(join(worktree.path, 'src'));
    expect(worktree.path).toBe(
      join(station.home, 'worktrees', `my-repository-worker-${agent.id.slice(-4)}`),
    );
    const { pid } = await station.pane('worker');
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    expect(variables).not.toContain('GIT_DIR=/elsewhere');
    expect(variables).toContain('GIT_AUTHOR_NAME=Me');
    expect((await station.agent('worker')).worktree).toEqual(worktree);
    const status = (await station.run(['status', 'worker'])).stdout;
    expect(status).toContain('signalbox/worker');
    const { agents } = await station.ask<{ agents: AgentView[] }>('restart', 'worker');
    expect(agents).toMatchObject([{ epoch: 2, cwd: agent.cwd, worktree }]);
    const { removed } = await station.ask<RemoveResult>('rm', 'worker');
    expect(removed).toMatchObject([{ worktree: { outcome: 'removed' } }]);
    expect(existsSync(worktree.path)).toBe(false);
    expect(repository.git('branch', '--list', 'signalbox/*')).toBe('');
  });

  test('rm keeps what would be lost, says where and why, and doctor still knows', {
    tags: ['full'],
  }, async () => {
    const { station, launch } = await openWorld();
    const { worktree } = await launch('worker');
    const path = worktree?.path ?? '';
    repositoryAt(path).write('unsaved.txt', 'work');
    const ended = await station.run(['rm', 'worker']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(
      `its worktree is kept at ${path}, branch signalbox/worker: it has a file`,
    );
    const report = await station.ask<DoctorReport>('doctor');
    expect(report.worktrees).toMatchObject([{ what: expect.stringContaining(path) }]);
    expect(existsSync(join(path, 'unsaved.txt'))).toBe(true);
  });

  test('two at once in one repository; each is on a branch of its own', {
    tags: ['full'],
  }, async () => {
    const { launch } = await openWorld();
    const agents = await Promise.all(['a', 'b', 'c', 'd'].map((name) => launch(name)));
    expect(agents.map(({ worktree }) => worktree?.branch)).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => `signalbox/${name}`),
    );
  });

  test('a launch that fails removes what it made', { tags: ['full'] }, async () => {
    const { station, repository } = await openWorld();
    const { path } = repository;
    const faulty = ['launch', 'generic', '--name', 'x', '--worktree', '--json', '--cwd'];
    expectFault(
      await station.run([...faulty, station.home, '--', 'sleep', '1']),
      2,
      'invalid-input',
      /no working tree/,
    );
    // It is there, and not in any commit.
    repository.write('run.sh', '#!/bin/sh\nsleep 600\n');
    repository.git('update-index', '--add', '--chmod=+x', 'run.sh');
    const { chmodSync } = await import('node:fs');
    chmodSync(join(path, 'run.sh'), 0o755);
    expectFault(
      await station.run([...faulty, path, '--', './run.sh']),
      1,
      'launch-failed',
      /no program/,
    );
    expect(readdirSync(join(station.home, 'worktrees'))).toEqual([]);
    expect(repository.git('branch', '--list', 'signalbox/*')).toBe('');
    const { agents } = await station.ask<{ agents: AgentView[] }>('ls');
    expect(agents.map(({ name }) => name)).toEqual(['user']);
  });

  test('a worktree that is gone is a clear fault of restart, and rm still works', {
    tags: ['full'],
  }, async () => {
    const { station, launch } = await openWorld();
    const { worktree } = await launch('worker');
    rmSync(worktree?.path ?? '', { recursive: true });
    expectFault(await station.run(['restart', 'worker', '--json']), 5, 'wrong-state', /is gone/);
    const { removed } = await station.ask<RemoveResult>('rm', 'worker');
    expect(removed).toMatchObject([{ name: 'worker' }]);
  });

  for (const place of sweepList(['worktree.added', 'worktree.noted', 'worktree.branched'])) {
    test(`a daemon killed at ${place} leaves nothing that the next start does not find`, {
      tags: ['full'],
    }, async () => {
      const { station, repository } = await openWorld();
      const env = { SIGNALBOX_FAILPOINTS: `${place}=kill` };
      await station.run(['up'], { env });
      const ended = await station.run([
        'launch',
        'generic',
        '--name',
        'x',
        '--worktree',
        '--cwd',
        repository.path,
        '--',
        'cat',
      ]);
      expect(ended.code).not.toBe(0);
      await station.run(['up']);
      await waitUntil('nothing of it', () => {
        return readdirSync(join(station.home, 'worktrees')).length === 0;
      });
      await waitUntil('nor its branch', () => {
        return repository.git('branch', '--list', 'signalbox/*') === '';
      });
      const { agents } = await station.ask<{ agents: AgentView[] }>('ls');
      expect(agents.map(({ name }) => name)).toEqual(['user']);
    });
  }
});

async function openWorld() {
  const station = await openStation();
  const repository = openRepository(join(station.home, 'my repository'));
  repository.write('src/a.txt', 'a');
  repository.commit('first');
  const launch = async (name: string): Promise<AgentView> => {
    const where = ['--worktree', '--cwd', join(repository.path, 'src')];
    const args = ['launch', 'generic', '--name', name, ...where, '--json', '--', 'sleep', '600'];
    const env = { GIT_DIR: '/elsewhere', GIT_AUTHOR_NAME: 'Me' };
    const ended = await station.run(args, { env });
    expect(ended.stderr).toBe('');
    return ended.json<AgentView>();
  };
  return { station, repository, launch };
}
