import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A real git repository in a folder of the test's own. */
export interface Repository {
  readonly path: string;
  git(...args: readonly string[]): string;
  write(file: string, text: string): void;
  /** Everything there is. */
  commit(message: string): string;
}

export function openRepository(path: string): Repository {
  mkdirSync(path, { recursive: true });
  const repository = repositoryAt(path);
  repository.git('init', '--quiet', '--initial-branch=main');
  return repository;
}

/** Of a linked worktree as well. */
export function repositoryAt(path: string): Repository {
  const git: Repository['git'] = (...args) =>
    execFileSync('git', args, { cwd: path, env: gitEnvironment(), stdio: 'pipe' })
      .toString()
      .trim();
  return {
    path,
    git,
    write: (file, text) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    },
    commit: (message) => {
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
      return git('rev-parse', 'HEAD');
    },
  };
}

/** A person's git, without the settings of whoever runs the tests. */
export function gitEnvironment(): Record<string, string> {
  const who = { NAME: 'A Person', EMAIL: 'person@example.org' };
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(
      Object.entries(who).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
  };
}
