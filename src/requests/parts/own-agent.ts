import type { Agent } from '../../agents/agent.ts';
import type { Caller } from '../../agents/caller.ts';
import { requireDescendant, resolveAgent } from '../../fleet/resolve-agent.ts';
import type { Context } from '../context.ts';

/**
 * The agent, for whoever may end it: the user, or an agent that it descends from. A name never
 * takes its project from the folder here: what ends an agent must not depend on where somebody
 * stands.
 */
export function findOwnAgent(
  { ledger }: Pick<Context, 'ledger'>,
  { agent: caller }: Caller,
  reference: string,
): Promise<Agent> {
  return ledger.read(async (tx) => {
    const agent = await resolveAgent(tx, reference, { agent: caller });
    await requireDescendant(tx, caller, agent);
    return agent;
  });
}
