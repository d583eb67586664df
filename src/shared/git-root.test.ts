import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { openRepository, type Repository } from '../../test/support/repository.ts';
import { findGitRoot, nothingOf } from './git-root.ts';

let folder: string;
let shop: Repository;

beforeEach(() => {
  folder = realpathSync(tempHome());
  shop = openRepository(join(folder, 'shop'));
  shop.write('src/deep/a.txt', 'a');
  shop.commit('first');
});

afterEach(() => vi.unstubAllEnvs());

test('it is the top of the working tree, from anywhere inside and through a link', () => {
  expect(findGitRoot(shop.path)).toBe(shop.path);
  expect(findGitRoot(join(shop.path, 'src/deep'))).toBe(shop.path);
  symlinkSync(join(shop.path, 'src'), join(folder, 'link'));
  expect(findGitRoot(join(folder, 'link'))).toBe(shop.path);
});

test('outside of git, and in a folder that is gone, there is none', () => {
  expect(findGitRoot(folder)).toBeUndefined();
  expect(findGitRoot(join(folder, 'nowhere'))).toBeUndefined();
  for (const relative of ['', '.', 'src']) expect(findGitRoot(relative)).toBeUndefined();
  rmSync(join(shop.path, '.git'), { recursive: true });
  expect(findGitRoot(join(shop.path, 'src'))).toBeUndefined();
});

test('a linked working tree belongs to the main one, as git says itself, with relative paths, too', () => {
  const linked = join(folder, 'elsewhere', 'linked');
  shop.git('worktree', 'add', '--quiet', linked);
  expect(findGitRoot(linked)).toBe(shop.path);
  const [name = ''] = readdirSync(join(shop.path, '.git/worktrees'));
  writeFileSync(join(linked, '.git'), `gitdir: ../../shop/.git/worktrees/${name}\n`);
  writeFileSync(
    join(shop.path, '.git/worktrees', name, 'gitdir'),
    '../../../../elsewhere/linked/.git\n',
  );
  expect(findGitRoot(linked)).toBe(shop.path);
  expect(repositoryOf(linked)).toBe(join(shop.path, '.git'));
});

test('a linked working tree whose repository is gone belongs to what lies around it', () => {
  const inside = join(shop.path, 'trees', 'one');
  shop.git('worktree', 'add', '--quiet', inside);
  rmSync(join(shop.path, '.git/worktrees'), { recursive: true });
  expect(findGitRoot(inside)).toBe(shop.path);
  const outside = join(folder, 'outside');
  shop.git('worktree', 'add', '--quiet', outside);
  renameSync(shop.path, join(folder, 'moved'));
  expect(findGitRoot(outside)).toBeUndefined();
});

test('a repository without a working tree stands for those that are linked to it', () => {
  const bare = join(folder, 'bare.git');
  execFileSync('git', ['clone', '--quiet', '--bare', shop.path, bare], { stdio: 'pipe' });
  const linked = join(folder, 'linked');
  execFileSync('git', ['worktree', 'add', '--quiet', linked], { cwd: bare, stdio: 'pipe' });
  expect(findGitRoot(linked)).toBe(bare);
});

test('a submodule is a project of its own', () => {
  const lib = openRepository(join(folder, 'lib'));
  lib.write('a', 'a');
  lib.commit('first');
  shop.git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    'add',
    '--quiet',
    lib.path,
    'vendor/lib',
  );
  expect(readFileSync(join(shop.path, 'vendor/lib/.git'), 'utf8')).toContain('gitdir: ');
  expect(findGitRoot(join(shop.path, 'vendor/lib'))).toBe(join(shop.path, 'vendor/lib'));
  expect(findGitRoot(join(shop.path, 'vendor'))).toBe(shop.path);
});

test('variables of git in the environment change nothing', () => {
  const other = openRepository(join(folder, 'other'));
  vi.stubEnv('GIT_DIR', join(other.path, '.git'));
  vi.stubEnv('GIT_WORK_TREE', other.path);
  expect(findGitRoot(shop.path)).toBe(shop.path);
  expect(findGitRoot(folder)).toBeUndefined();
});

test('nothing that a hostile repository names is run', () => {
  const ran = join(folder, 'ran');
  const script = join(shop.path, 'evil');
  writeFileSync(script, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  for (const setting of ['core.fsmonitor', 'core.sshCommand', 'alias.rev-parse']) {
    shop.git('config', setting, setting.startsWith('alias') ? `!${script}` : script);
  }
  shop.git('config', 'core.hooksPath', shop.path);
  expect(findGitRoot(shop.path)).toBe(shop.path);
  expect(existsSync(ran)).toBe(false);
});

test('a folder that claims to be a working tree of another project is not believed', () => {
  const linked = join(folder, 'linked');
  shop.git('worktree', 'add', '--quiet', linked);
  const evil = join(folder, 'evil');
  mkdirSync(join(evil, 'notes'), { recursive: true });
  // The notes of a real one, which name another folder.
  writeFileSync(join(evil, '.git'), readFileSync(join(linked, '.git')));
  expect(findGitRoot(evil)).toBe(evil);
  // Notes of its own, which name the other repository.
  writeFileSync(join(evil, '.git'), 'gitdir: notes\n');
  writeFileSync(join(evil, 'notes/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(evil, 'notes/commondir'), join(shop.path, '.git'));
  writeFileSync(join(evil, 'notes/gitdir'), join(evil, '.git'));
  expect(findGitRoot(evil)).toBe(evil);
});

test.each<[string, (path: string) => void]>([
  ['an empty folder', (path) => mkdirSync(path)],
  ['an empty file', (path) => writeFileSync(path, '')],
  ['a long file', (path) => writeFileSync(path, `gitdir: ${'x'.repeat(100_000)}`)],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
])('what is no repository is passed over: %s', (_, make) => {
  const inside = join(shop.path, 'inside');
  mkdirSync(inside);
  make(join(inside, '.git'));
  expect(findGitRoot(inside)).toBe(shop.path);
});

test.each([
  ['ENOENT', false],
  ['EACCES', false],
  ['ELOOP', false],
  ['EIO', true],
  ['EMFILE', true],
])('an error is no evidence: %s', (code, isTrouble) => {
  const judge = () => nothingOf(Object.assign(new Error(code), { code }), '/shop/.git');
  if (isTrouble) expect(judge).toThrow(`/shop/.git could not be read (${code})`);
  else expect(judge()).toBeUndefined();
});

function repositoryOf(path: string): string {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  return execFileSync('git', args, { cwd: path }).toString().trim();
}
