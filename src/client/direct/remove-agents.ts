import { type Agent, isUser } from '../../agents/agent.ts';
import { finishRemovals } from '../../fleet/remove.ts';
import type { Removed, RemoveResult } from '../../protocol/agents.ts';
import { remove } from '../../requests/remove.ts';
import { Fault } from '../../shared/fault.ts';
import { UnwrittenFault } from '../../shared/unwritten.ts';
import type { WhichAgents } from '../client.ts';
import { forEach } from '../several.ts';
import type { DirectContext } from './context.ts';
import { selectAgents } from './select-agents.ts';

/** `removeOne` is for agents whose terminal the daemon must end first. */
export async function removeAgents(
  context: DirectContext,
  which: WhichAgents,
  removeOne: (agent: Agent) => Promise<Removed> = (agent) => removeHere(context, agent),
): Promise<RemoveResult> {
  const agents = await selectAgents(context, which);
  if (agents.some(isUser)) {
    throw new Fault('not-allowed', 'The user cannot be removed.', 'Name an agent.');
  }
  const { done, failed } = await forEach(agents, (agent) =>
    agent.backend === 'none' ? removeHere(context, agent) : removeOne(agent),
  );
  try {
    await finishRemovals(context.ledger, context.surroundings);
  } catch (error) {
    // Whoever was removed above is: the next command goes on with their inboxes.
    if (!(error instanceof UnwrittenFault)) throw error;
  }
  return { removed: done, ...(failed.length > 0 ? { failed } : {}) };
}

function removeHere(context: DirectContext, { id }: Agent): Promise<Removed> {
  return remove(context, context.caller, { agent: id });
}
