import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyProgram } from '../../test/lab/life/box.ts';
import { type Surroundings, WrongWish } from '../suite.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/**
 * It came with the first change of all that was done for people at the keyboard. A later build has
 * a part of that already, and would make the comparison look better or worse than it is.
 */
const firstChange = 'src/delivery/routes/holds-text.ts';

export interface Before {
  /** Its commit, abbreviated. */
  readonly commit: string;
  readonly program: string;
  remove(): void;
}

/**
 * Builds an older commit of this repository in the suite's own folder, which goes with the run. The
 * files are exported: git keeps no note of them that somebody would have to take back.
 */
export function buildBefore({ folder, against, say }: Surroundings): Before {
  const commit = findCommit(against ?? `${findBegin()}^`);
  say(`building ${commit} to compare with`);
  const tree = join(folder, 'before');
  mkdirSync(tree);
  const archive = join(folder, 'before.tar');
  git('archive', '--format=tar', '-o', archive, commit);
  execFileSync('tar', ['-xf', archive, '-C', tree]);
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: tree, stdio: 'pipe' });
  return { commit, ...copyProgram(join(tree, 'dist')) };
}

function findBegin(): string {
  const added = git('log', '--diff-filter=A', '--format=%H', '--', firstChange).split('\n').at(-1);
  if (added) return added;
  throw new WrongWish(
    `No commit here adds ${firstChange}: name one to compare with, by --against.`,
  );
}

function findCommit(revision: string): string {
  const found = git('rev-parse', '--quiet', '--short', '--verify', `${revision}^{commit}`);
  if (found) return found;
  throw new WrongWish(`This repository has no commit ${JSON.stringify(revision)}.`);
}

/** What it prints; nothing where it finds nothing. */
function git(...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status === 0 || (status === 1 && stderr === '')) return stdout.trim();
  throw new WrongWish(`git ${args[0]}: ${error?.message ?? stderr.trim()}`);
}
