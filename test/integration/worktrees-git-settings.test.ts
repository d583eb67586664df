import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Agent, createPuller } from '../../src/agents/agent.ts';
import type { Worktree } from '../../src/agents/role.ts';
import { makeWorktree } from '../../src/fleet/worktrees/make.ts';
import { surveyGround } from '../../src/fleet/worktrees/survey.ts';
import { tidyWorktree } from '../../src/fleet/worktrees/tidy.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { openTrustBook } from '../../src/trust/book.ts';
import { tempHome } from '../support/home.ts';
import { gitEnvironment, openRepository, repositoryAt } from '../support/repository.ts';

/**
 * Rule 46: settings of git that lie in a working folder name no program that a question of ours
 * runs.
 */

const nowhere = '1'.repeat(40);

test('a question about a commit that is missing runs no program that the repository names as the way to fetch it', async () => {
  const { repository, survey, marker } = openGround();
  fetchBy(repository.path, marker);
  await expect(survey()).rejects.toThrow(/has no commit yet/);
  expect(existsSync(marker)).toBe(false);
});

test('an agent that put another .git into its worktree has no program run when it goes: the worktree is kept', async () => {
  const { repository, survey, marker, env, home } = openGround();
  const folder = join(home, 'worktrees');
  let noted: Worktree | undefined;
  const note = async (worktree: Worktree): Promise<void> => {
    noted = worktree;
  };
  await makeWorktree({
    ...{ agent: { id: 'agt_worker', name: 'worker' }, hasNamesakes: false },
    ...{ ground: await survey(), folder, note, umask: 0o022 },
  });
  if (!noted) throw new Error('none was noted');
  const { path } = noted;
  const ledger = new MemoryLedger();
  const agent: Agent = {
    ...{ ...createPuller('agt_worker', 1), name: 'worker', session: 'default' },
    ...{ notify: true, cwd: path, worktree: noted },
  };
  const tidy = () => tidyWorktree({ ledger, ownEnv: env }, agent);

  // A repository of its own, whose filter is run by `git status`.
  rmSync(join(path, '.git'));
  const planted = repositoryAt(path);
  planted.git('init', '--quiet');
  planted.write('.gitattributes', '* filter=x\n');
  planted.commit('planted');
  planted.git('config', 'filter.x.clean', `touch ${marker}; cat`);
  planted.write('a.txt', 'changed');
  expect(await tidy()).toMatchObject({ outcome: 'kept', reason: expect.stringMatching(/leads/) });
  expect(existsSync(marker)).toBe(false);

  // The same, written with nothing but an editor.
  rmSync(join(path, '.git'), { recursive: true });
  mkdirSync(join(path, 'made/objects'), { recursive: true });
  mkdirSync(join(path, 'made/refs/heads'), { recursive: true });
  writeFileSync(join(path, '.git'), `gitdir: ${join(path, 'made')}\n`);
  writeFileSync(join(path, 'made/HEAD'), `${nowhere}\n`);
  fetchBy(path, marker, join(path, 'made/config'));
  expect(await tidy()).toMatchObject({ outcome: 'kept' });
  expect(existsSync(marker)).toBe(false);
  expect(repository.git('worktree', 'list').split('\n')).toHaveLength(2);
});

function openGround() {
  const home = tempHome();
  const env = gitEnvironment();
  const repository = openRepository(join(home, 'repo'));
  repository.write('a.txt', 'a');
  repository.commit('first');
  const trust = openTrustBook({ state: home, config: home });
  const survey = () => surveyGround({ trust, ownEnv: env }, { cwd: repository.path }, env);
  return { home, env, repository, survey, marker: join(home, 'marker') };
}

/** A partial clone, whose missing objects are fetched by a program. */
function fetchBy(top: string, marker: string, config = join(top, '.git/config')): void {
  const lines = [
    '[core]',
    '\trepositoryformatversion = 1',
    `\tworktree = ${top}`,
    '[extensions]',
    '\tpartialClone = origin',
    '[remote "origin"]',
    `\turl = ${top}`,
    '\tpromisor = true',
    `\tuploadpack = "touch ${marker}; false"`,
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  if (existsSync(join(top, '.git/HEAD'))) writeFileSync(join(top, '.git/HEAD'), `${nowhere}\n`);
}
