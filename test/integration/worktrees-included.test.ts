import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyIncluded } from '../../src/fleet/worktrees/copy-included.ts';
import { makeWorktree } from '../../src/fleet/worktrees/make.ts';
import { surveyGround } from '../../src/fleet/worktrees/survey.ts';
import { tempHome } from '../support/home.ts';
import { gitEnvironment, openRepository } from '../support/repository.ts';

test('.worktreeinclude: where the commit has a link, no folder is made behind it', async () => {
  const world = openWorld();
  const { repository, home } = world;
  mkdirSync(join(home, 'elsewhere'));
  repository.write('.gitignore', '*.key\n');
  repository.write('.worktreeinclude', '*.key\n');
  symlinkSync(join(home, 'elsewhere'), join(repository.path, 'keys'));
  symlinkSync(join(home, 'nowhere'), join(repository.path, 'more'));
  repository.commit('first');
  repository.git('rm', '--quiet', 'keys', 'more');
  repository.write('keys/b/c/my.key', 'secret');
  repository.write('more/b/c/my.key', 'secret');
  repository.write('own/b/c/my.key', 'secret');
  const { cwd } = await world.make('worker');
  expect([readdirSync(join(home, 'elsewhere')), existsSync(join(home, 'nowhere'))]).toEqual([
    [],
    false,
  ]);
  expect(readFileSync(join(cwd, 'own/b/c/my.key'), 'utf8')).toBe('secret');
});

test('.worktreeinclude: files that grow beyond the limit are refused, never cut', async () => {
  const home = tempHome();
  for (const folder of ['from', 'to']) mkdirSync(join(home, folder));
  writeFileSync(join(home, 'from', 'a'), 'x'.repeat(60));
  writeFileSync(join(home, 'from', 'b'), 'x'.repeat(41));
  const copy = (most: number) =>
    copyIncluded(join(home, 'from'), join(home, 'to'), ['a', 'b'], 0o022, most);
  await expect(copy(100)).rejects.toMatchObject({
    code: 'launch-failed',
    message: expect.stringMatching(/b", which has grown/),
  });
  rmSync(join(home, 'to'), { recursive: true });
  mkdirSync(join(home, 'to'));
  await copy(101);
  expect(readFileSync(join(home, 'to', 'b'), 'utf8')).toBe('x'.repeat(41));
});

test('.worktreeinclude: a git that cannot tell what it ignores is no answer', async () => {
  const world = openWorld();
  const { repository, home } = world;
  repository.write('.gitignore', '.env\n');
  repository.write('.worktreeinclude', '.env\n');
  repository.commit('first');
  repository.write('.env', 'KEY=1');
  const env = gitEnvironment();
  const script = `#!/bin/sh
for word; do [ "$word" = check-ignore ] && { echo "fatal: broken" >&2; exit 128; }; done
PATH='${env['PATH']}' exec git "$@"
`;
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'git'), script, { mode: 0o755 });
  const broken = { ...env, PATH: `${join(home, 'bin')}:${env['PATH']}` };
  await expect(world.make('worker', { env: broken })).rejects.toMatchObject({
    code: 'launch-failed',
    message: expect.stringMatching(/git check-ignore failed .*fatal: broken/),
  });
  expect(existsSync(world.folder)).toBe(false);
});

/** What these tests are about comes after the gate of rule 46, which has tests of its own. */
const trustingAll = { judge: () => ({ outcome: 'trusted', path: '' }) as const };

function openWorld() {
  const home = tempHome();
  const repository = openRepository(join(home, 'repository'));
  const folder = join(home, 'state', 'worktrees');
  const make = async (name: string, { env = gitEnvironment() } = {}): Promise<{ cwd: string }> => {
    const parts = { trust: trustingAll, ownEnv: env };
    const ground = await surveyGround(parts, { cwd: repository.path }, env);
    const note = async () => undefined;
    const agent = { agent: { id: `agt_${name}`, name }, hasNamesakes: false };
    return { cwd: await makeWorktree({ ...agent, ground, folder, note, umask: 0o022 }) };
  };
  return { home, repository, folder, make };
}
