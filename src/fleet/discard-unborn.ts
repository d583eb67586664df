import type { FleetParts } from './parts.ts';
import { remove } from './remove.ts';
import { tidyWorktree } from './worktrees/tidy.ts';

/**
 * An agent whose first life never began is as if it had never been: its name is free again, whoever
 * wrote to it is told, and its worktree goes by the same rules as any other. One that stays, half
 * made perhaps, is said here and by `doctor`.
 */
export async function discardUnborn(parts: FleetParts, id: string): Promise<void> {
  const { agent } = await remove(parts.ledger, parts.surroundings, id);
  const worktree = await tidyWorktree(parts, agent);
  if (worktree?.outcome !== 'kept') return;
  parts.log.warn({ agent: id, ...worktree }, 'the worktree of a launch that failed was kept');
}
