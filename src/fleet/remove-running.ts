import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Epoch } from '../agents/epoch.ts';
import { callName } from '../agents/reference.ts';
import { askAfterEnd } from '../delivery/ask-after-end.ts';
import type { AgentContext, Provider } from '../providers/provider.ts';
import { isMissing } from '../providers/record-files.ts';
import { reportBug } from '../shared/report-bug.ts';
import { noteDone } from '../shared/unwritten.ts';
import type { RemovedRunning } from './fleet.ts';
import type { FleetParts } from './parts.ts';
import { remove, waitForAttempts } from './remove.ts';
import type { Roster } from './roster.ts';
import { stopLife } from './stop.ts';
import { tidyWorktree } from './worktrees/tidy.ts';

/**
 * Removes an agent that may be running (rule 35): its processes end first, then its inbox is
 * settled and the senders are told, then its logs and its worktree go, the latter only if nothing
 * is lost with it; the snapshot of its last screen stays. A step that fails is told and does not
 * keep the next from being tried, except that a process that cannot be ended keeps its agent:
 * nothing may run that nobody knows.
 */
export async function removeRunning(
  parts: FleetParts,
  roster: Roster,
  id: string,
  isByUser: boolean,
): Promise<RemovedRunning> {
  return roster.hold(id, async () => {
    const found = await roster.find(id);
    await waitForAttempts(parts.ledger, parts.surroundings, id);
    const running = roster.get(id);
    const context = running?.context;
    await stopLife(parts, roster, found, 'removed');
    const read =
      running && context ? await askLast(parts, running.life.provider, context, found.epoch) : 0;
    const { settled, maybeRead, unsettled } = await noteDone(
      `"${callName(found.agent)}" was ended but not removed, and its messages are as they were.`,
      () => remove(parts.ledger, parts.surroundings, id, isByUser),
    );
    roster.drop(id);
    parts.announce.removed(found.agent);
    const troubles = [
      ...(unsettled === undefined ? [] : [unsettled]),
      ...(await removeLogs(parts, id)),
    ];
    const worktree = await tidyWorktree(parts, found.agent);
    return { settled, maybeRead, read, troubles, ...(worktree ? { worktree } : {}) };
  });
}

/**
 * What its records say about what it was given last, now that nothing more will be written
 * (rule 35).
 */
async function askLast(
  parts: FleetParts,
  provider: Provider,
  context: AgentContext,
  epoch: Epoch | undefined,
): Promise<number> {
  if (!epoch) return 0;
  const live = { current: () => context, changed: () => undefined };
  try {
    const evidence = provider.openEvidence?.(live);
    if (!evidence) return 0;
    try {
      return await askAfterEnd(parts, epoch, evidence);
    } finally {
      evidence.close();
    }
  } catch (error) {
    // Then it may have been read, and its senders are told so.
    reportBug('the last look at the records of a removed agent', error);
    parts.log.warn({ agent: epoch.agent, error: String(error) }, 'the evidence could not be read');
    return 0;
  }
}

async function removeLogs(parts: FleetParts, id: string): Promise<readonly string[]> {
  const troubles: string[] = [];
  const names = await readdir(parts.folders.logs).catch((error: unknown) => {
    if (!isMissing(error)) troubles.push(`${parts.folders.logs}: ${String(error)}`);
    return [];
  });
  for (const name of names.filter((file) => file.startsWith(`${id}.log`))) {
    await rm(join(parts.folders.logs, name), { force: true }).catch((error: unknown) => {
      // Told with the answer.
      troubles.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  return troubles;
}
