import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { findKeptWorktrees } from './doctor-worktrees.ts';

test('what is left of agents that are gone is listed; where there never was anything, nothing', () => {
  const home = tempHome();
  const folder = join(home, 'worktrees');
  expect(findKeptWorktrees(folder, [])).toEqual([]);
  mkdirSync(join(folder, 'shop-lead-1a2b'), { recursive: true });
  expect(findKeptWorktrees(folder, [])).toMatchObject([
    { what: `The worktree ${join(folder, 'shop-lead-1a2b')} belongs to no agent any more.` },
  ]);
  writeFileSync(join(home, 'file'), '');
  expect(findKeptWorktrees(join(home, 'file'), [])).toEqual([]);
});

test('rule 41: a folder that cannot be listed is not an empty one', () => {
  const folder = join(tempHome(), 'worktrees');
  symlinkSync('worktrees', folder);
  expect(findKeptWorktrees(folder, [])).toMatchObject([
    { what: expect.stringMatching(/^Whether worktrees are left is not known: .*ELOOP/) },
  ]);
});
