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
  return list(folder)
    .map((name) => join(folder, name))
    .filter((path) => !used.has(path))
    .map((path) => ({
      what: `The worktree ${path} belongs to no agent any more.`,
      next: `Take from it what is needed, then run \`git worktree remove\` on it.`,
    }));
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // There never was one.
    return [];
  }
}
