import type { Agent } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import { Fault } from '../shared/fault.ts';
import { reportBug } from '../shared/report-bug.ts';
import { tellDone, UnwrittenFault } from '../shared/unwritten.ts';
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

/**
 * The same after a launch that failed; returns what to throw. A ledger that took the agent may be
 * full by now, and then both stay in it: the agent and its first message.
 */
export async function discardFailed(
  parts: FleetParts,
  agent: Agent,
  error: unknown,
): Promise<unknown> {
  const name = callName(agent);
  const stays = `"${name}" was not started, and nothing of it runs.`;
  try {
    await discardUnborn(parts, agent.id);
    return tellDone(stays, error);
  } catch (left) {
    reportBug('discarding an agent that never began', left);
    if (!(error instanceof Fault)) return error;
    const why = error instanceof UnwrittenFault ? `${stays} ${error.why}` : error.message;
    return new Fault(
      error.code,
      `${why} It is still in the ledger under its name.`,
      `Once the ledger can be written, \`signalbox rm ${name}\` removes it and \`signalbox restart ${name}\` starts it.`,
      { cause: error },
    );
  }
}
