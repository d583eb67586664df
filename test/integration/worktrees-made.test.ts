import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Worktree } from '../../src/agents/role.ts';
import { makeWorktree } from '../../src/fleet/worktrees/make.ts';
import { surveyGround } from '../../src/fleet/worktrees/survey.ts';
import { createId } from '../../src/shared/ids.ts';
import { tempHome } from '../support/home.ts';
import { gitEnvironment, openRepository, repositoryAt } from '../support/repository.ts';

test('a worktree stands outside the repository, on a branch of its own, in the same sub-folder', async () => {
  const world = openWorld('a repo, "größer" & more');
  world.repository.write('src/deep/a.txt', 'a');
  const head = world.repository.commit('first');
  const made = await world.make('worker', { cwd: join(world.repository.path, 'src/deep') });
  expect(made.cwd).toBe(join(made.worktree.path, 'src/deep'));
  expect(readFileSync(join(made.cwd, 'a.txt'), 'utf8')).toBe('a');
  expect(made.worktree).toEqual({
    path: join(world.folder, `a-repo-größer-more-worker-${made.id.slice(-4)}`),
    branch: 'signalbox/worker',
    repository: world.repository.path,
    base: head,
  });
  expect(repositoryAt(made.cwd).git('branch', '--show-current')).toBe('signalbox/worker');
  expect(world.repository.git('status', '--porcelain')).toBe('');
});

test('it is noted before anything is made', async () => {
  const world = await openCommitted();
  let before = '';
  await world.make('worker', {
    note: async ({ path, branch }) => {
      expect(existsSync(join(path, '.git'))).toBe(false);
      before = world.repository.git('branch', '--list', branch);
    },
  });
  expect(before).toBe('');
});

test('names that are taken get more of the agent’s id, and names that git refuses are mended', async () => {
  const world = await openCommitted();
  world.repository.git('branch', 'signalbox/worker');
  const second = await world.make('worker', { id: 'agt_0123456789' });
  expect(second.worktree).toMatchObject({
    path: join(world.folder, 'repository-worker-6789'),
    branch: 'signalbox/worker-6789',
  });
  const third = await world.make('worker', { id: 'agt_abcdef6789' });
  expect(third.worktree).toMatchObject({
    path: join(world.folder, 'repository-worker-abcdef6789'),
    branch: 'signalbox/worker-abcdef6789',
  });
  await expect(world.make('worker', { id: 'agt_abcdef6789' })).rejects.toMatchObject({
    code: 'launch-failed',
    message: expect.stringContaining('"signalbox/worker-abcdef6789"'),
  });
  expect((await world.make('a..b.lock')).worktree.branch).toBe('signalbox/a-b-lock');
  expect((await world.make('Ümläut.')).worktree.branch).toBe('signalbox/Ümläut-');
  expect((await world.make('é'.repeat(64))).worktree.branch).toMatch(/^signalbox\/é+$/);
});

test('a branch called signalbox is no obstacle', async () => {
  const world = await openCommitted();
  world.repository.git('branch', 'signalbox');
  expect((await world.make('worker')).worktree.branch).toBe('signalbox-worker');
});

test('ten at once in one repository, also under one name', async () => {
  const world = await openCommitted();
  const names = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 'same' : `other-${i}`));
  const made = await Promise.all(names.map((name) => world.make(name)));
  const branches = made.map(({ cwd }) => repositoryAt(cwd).git('branch', '--show-current'));
  expect(new Set(branches).size).toBe(10);
  expect(made.map(({ worktree }) => worktree.branch)).toEqual(branches);
});

test('a lock of another git is waited for', async () => {
  const world = await openCommitted();
  const lock = join(world.repository.path, '.git', 'refs', 'heads', 'signalbox', 'worker.lock');
  world.repository.write('.git/refs/heads/signalbox/worker.lock', '');
  const making = world.make('worker');
  const { rmSync } = await import('node:fs');
  setTimeout(() => rmSync(lock), 300);
  expect((await making).worktree.branch).toBe('signalbox/worker');
});

test('a worktree that another git is half through making is waited for', async () => {
  const world = await openCommitted();
  // As git 2.39.5 leaves it for a moment.
  const half = '.git/worktrees/half';
  world.repository.write(`${half}/gitdir`, '/not/there/.git\n');
  world.repository.write(`${half}/HEAD`, `${'0'.repeat(40)}\n`);
  world.repository.write(`${half}/commondir`, '');
  const making = world.make('worker');
  setTimeout(() => world.repository.write(`${half}/commondir`, '../..\n'), 300);
  expect((await making).worktree.branch).toBe('signalbox/worker');
});

test('a worktree of a worktree begins where that one stands, and outlives it', async () => {
  const world = await openCommitted();
  const parent = await world.make('parent');
  const inner = repositoryAt(parent.cwd);
  inner.write('b.txt', 'b');
  const commit = inner.commit('second');
  const child = await world.make('child', { cwd: parent.cwd });
  expect(child.worktree).toMatchObject({ base: commit, repository: world.repository.path });
});

test('variables of a git that runs us turn nothing at another repository', async () => {
  const world = await openCommitted();
  const other = openRepository(join(world.home, 'other'));
  const env = { ...gitEnvironment(), GIT_DIR: join(other.path, '.git'), GIT_WORK_TREE: other.path };
  const { worktree } = await world.make('worker', { env });
  expect(worktree.repository).toBe(world.repository.path);
  expect(other.git('branch', '--list', 'signalbox/*')).toBe('');
});

test('what cannot be done is said, and leaves nothing behind', async () => {
  const world = openWorld('repository');
  await expect(world.make('a', { cwd: world.home })).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(/in no working tree of git .*not a git repository/),
  });
  await expect(world.make('a')).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('no commit yet'),
  });
  world.repository.write('a.txt', 'a');
  world.repository.commit('first');
  await expect(world.make('a', { env: { PATH: '/nonexistent' } })).rejects.toMatchObject({
    code: 'launch-failed',
    message: expect.stringContaining('no git on the PATH'),
  });
  expect(existsSync(world.folder)).toBe(false);
  expect(world.noted).toEqual([]);
});

test('rule 46: a folder of a clone that is itself a repository without a working tree is no ground, and its hooks do not run', async () => {
  const world = await openCommitted();
  const inner = join(world.repository.path, 'docs');
  world.repository.git('clone', '--quiet', '--bare', world.repository.path, inner);
  const marker = join(world.home, 'marker');
  world.repository.write('docs/hooks/post-checkout', `#!/bin/sh\ntouch ${marker}\n`);
  chmodSync(join(inner, 'hooks/post-checkout'), 0o755);
  repositoryAt(inner).git('config', 'core.bare', 'false');
  repositoryAt(inner).git('config', 'core.worktree', world.repository.path);
  await expect(world.make('a', { cwd: inner })).rejects.toMatchObject({ code: 'invalid-input' });
  expect(existsSync(marker)).toBe(false);
});

test('a full or forbidden place is said', async () => {
  const world = await openCommitted();
  world.repository.write('../blocked', 'a file where a folder should be');
  await expect(
    world.make('a', { folder: join(world.home, 'blocked', 'worktrees') }),
  ).rejects.toMatchObject({
    code: 'launch-failed',
    message: expect.stringContaining('no place for a worktree'),
  });
});

test('.worktreeinclude: what git ignores and the list names is copied, and nothing else', async () => {
  const world = openWorld('repository');
  const { repository, home } = world;
  repository.write('.gitignore', '.env*\nbuild/\nlink*\nsecret dir/\n');
  repository.write(
    '.worktreeinclude',
    '# local settings\n.env*\n!.env.never\n/build/keep/**\nlink*\nuntracked.txt\na.txt\nsecret dir/\n',
  );
  repository.write('a.txt', 'committed');
  repository.commit('first');
  repository.write('a.txt', 'changed here');
  repository.write('.env', 'KEY=1');
  chmodSync(join(repository.path, '.env'), 0o600);
  repository.write('.env.never', 'no');
  repository.write('sub/.env.local', 'deep');
  repository.write('build/keep/x', 'x');
  repository.write('build/other', 'no');
  repository.write('secret dir/ü\n.txt', 'odd name');
  repository.write('untracked.txt', 'not ignored');
  repository.write('../outside', 'outside');
  symlinkSync('.env', join(repository.path, 'link-inside'));
  symlinkSync(join(home, 'outside'), join(repository.path, 'link-absolute'));
  symlinkSync('../outside', join(repository.path, 'link-outside'));
  symlinkSync(home, join(repository.path, 'link-folder'));
  const { cwd } = await world.make('worker');
  expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe('KEY=1');
  expect(lstatSync(join(cwd, '.env')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(cwd, 'sub/.env.local'), 'utf8')).toBe('deep');
  expect(readFileSync(join(cwd, 'build/keep/x'), 'utf8')).toBe('x');
  expect(readFileSync(join(cwd, 'secret dir/ü\n.txt'), 'utf8')).toBe('odd name');
  expect(lstatSync(join(cwd, 'link-inside')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('committed');
  for (const absent of [
    ...['.env.never', 'build/other', 'untracked.txt'],
    ...['link-absolute', 'link-outside', 'link-folder'],
  ]) {
    expect(existsSync(join(cwd, absent)), absent).toBe(false);
  }
  expect(repositoryAt(cwd).git('status', '--porcelain')).toBe('');
});

test('.worktreeinclude: swapped between check and use, the list that was judged is the one that counts', async () => {
  const world = openWorld('repository');
  const { repository } = world;
  repository.write('.gitignore', '.env\n.secret\n');
  repository.write('.worktreeinclude', '.env\n');
  repository.commit('first');
  repository.write('.env', 'KEY=1');
  repository.write('.secret', 'x');
  const env = gitEnvironment();
  const parts = { trust: trustingAll, ownEnv: env };
  const ground = await surveyGround(parts, { cwd: repository.path }, env);
  repository.write('.worktreeinclude', '.secret\n');
  const { cwd } = await world.make('worker', { ground });
  expect([existsSync(join(cwd, '.env')), existsSync(join(cwd, '.secret'))]).toEqual([true, false]);
});

test('.worktreeinclude: where the commit has a link, nothing is written through it', async () => {
  const world = openWorld('repository');
  const { repository, home } = world;
  mkdirSync(join(home, 'elsewhere'));
  repository.write('.gitignore', '*.key\n');
  repository.write('.worktreeinclude', '*.key\n');
  symlinkSync(join(home, 'elsewhere'), join(repository.path, 'keys'));
  repository.commit('first');
  repository.git('rm', '--quiet', 'keys');
  repository.write('keys/my.key', 'secret');
  await world.make('worker');
  expect(existsSync(join(home, 'elsewhere', 'my.key'))).toBe(false);
});

test('.worktreeinclude: too much is refused before anything is made', async () => {
  const world = openWorld('repository');
  world.repository.write('.gitignore', 'many/\n');
  world.repository.write('.worktreeinclude', 'many/\n');
  world.repository.commit('first');
  for (let i = 0; i < 2001; i++) world.repository.write(`many/${i}`, '');
  await expect(world.make('worker')).rejects.toMatchObject({
    message: expect.stringContaining('2001 files'),
  });
  expect(existsSync(world.folder)).toBe(false);
});

type Change = Partial<Parameters<typeof makeWorktree>[0]> & {
  readonly id?: string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
};

/** What these tests are about comes after the gate of rule 46, which has tests of its own. */
const trustingAll = { judge: () => ({ outcome: 'trusted', path: '' }) as const };

function openWorld(name: string) {
  const home = tempHome();
  const repository = openRepository(join(home, name));
  const folder = join(home, 'state', 'worktrees');
  const noted: Worktree[] = [];
  const make = async (
    name: string,
    {
      id = createId('agt', 1),
      cwd: from = repository.path,
      env = gitEnvironment(),
      ...change
    }: Change = {},
  ): Promise<{ id: string; cwd: string; worktree: Worktree }> => {
    let last: Worktree | undefined;
    const note = async (worktree: Worktree): Promise<void> => {
      last = worktree;
      noted.push(worktree);
    };
    const parts = { trust: trustingAll, ownEnv: env };
    const ground = await surveyGround(parts, { cwd: from }, env);
    const agent = { agent: { id, name }, hasNamesakes: false };
    const cwd = await makeWorktree({ ...agent, ground, folder, note, umask: 0o022, ...change });
    return { id, cwd, worktree: last as unknown as Worktree };
  };
  return { home, repository, folder, noted, make };
}

async function openCommitted() {
  const world = openWorld('repository');
  world.repository.write('a.txt', 'a');
  world.repository.commit('first');
  return world;
}
