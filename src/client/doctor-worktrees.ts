import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import type { Finding } from '../protocol/doctor.ts';

/**
 * Worktrees of agents that are gone: kept because something in them would have been lost, or left
 * by a launch that was killed.
 */
export function findKeptWorktrees(folder: string, living: readonly Agent[]): readonly Finding[] {
  const used = new Set(living.flatMap(({ worktree }) => (worktree ? [worktree.path] : [])));
  const names = list(folder);
  if (names instanceof Error) {
    return [
      {
        what: `Whether worktrees are left is not known: ${folder} cannot be listed (${names.message}).`,
        next: 'See who owns it and its mode; `signalbox doctor` then lists it again.',
      },
    ];
  }
  return names
    .map((name) => join(folder, name))
    .filter((path) => !used.has(path))
    .map((path) => ({
      what: `The worktree ${path} belongs to no agent any more.`,
      next: `Take from it what is needed, then run \`git worktree remove\` on it.`,
    }));
}

/** None where there never was one. */
function list(folder: string): readonly string[] | Error {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === '') throw error;
    return ['ENOENT', 'ENOTDIR'].includes(code) ? [] : (error as Error);
  }
}
