import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemovedRunning } from './fleet.ts';
import type { FleetParts } from './parts.ts';
import { remove, waitForAttempts } from './remove.ts';
import type { Roster } from './roster.ts';
import { stopLife } from './stop.ts';
import { tidyWorktree } from './worktrees/tidy.ts';

/**
 * Removes an agent that may be running (rule 35): its processes end first, then its inbox is settled and the senders are
 * told, then its logs and its worktree go, the latter only if nothing is lost with it; the snapshot of its last screen stays. A step that fails is told and does not keep the next from
 * being tried, except that a process that cannot be ended keeps its agent: nothing may run that nobody knows.
 */
export async function removeRunning(
  parts: FleetParts,
  roster: Roster,
  id: string,
): Promise<RemovedRunning> {
  return roster.hold(id, async () => {
    const found = await roster.find(id);
    await waitForAttempts(parts.ledger, parts.surroundings, id);
    await stopLife(parts, roster, found, 'removed');
    const { settled } = await remove(parts.ledger, parts.surroundings, id);
    roster.drop(id);
    parts.announce.removed(found.agent);
    const troubles = await removeLogs(parts, id);
    const worktree = await tidyWorktree(parts, found.agent);
    return { settled, troubles, ...(worktree ? { worktree } : {}) };
  });
}

async function removeLogs(parts: FleetParts, id: string): Promise<readonly string[]> {
  const troubles: string[] = [];
  const names = await readdir(parts.folders.logs).catch(() => []);
  for (const name of names.filter((file) => file.startsWith(`${id}.log`))) {
    await rm(join(parts.folders.logs, name), { force: true }).catch((error: unknown) => {
      troubles.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  return troubles;
}
