import { type Agent, isUser } from '../agents/agent.ts';
import { remove as removeFromLedger } from '../fleet/remove.ts';
import type { AgentName, Removed } from '../protocol/agents.ts';
import { nameView } from '../protocol/views.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { findOwnAgent } from './parts/own-agent.ts';

/**
 * Settles what is open in its inbox, tells the senders, and removes the agent (rule 35). Where a
 * daemon runs, it ends the agent's terminal first.
 */
export const remove = defineRequest(
  async (context: Context, caller, wish: { readonly agent: string }): Promise<Removed> => {
    const agent = await findOwnAgent(context, caller, wish.agent);
    const isByUser = isUser(caller.agent);
    return { ...nameView(agent), ...(await removeOne(context, agent, isByUser)) };
  },
);

async function removeOne(
  { ledger, surroundings, live }: Context,
  { id }: Agent,
  isByUser: boolean,
): Promise<Omit<Removed, keyof AgentName>> {
  if (!live) {
    const done = await removeFromLedger(ledger, surroundings, id, isByUser);
    const { settled, maybeRead, unsettled } = done;
    const troubles = unsettled === undefined ? {} : { troubles: [unsettled] };
    return { settled, maybeRead, read: 0, ...troubles };
  }
  const removed = await live.fleet.remove(id, { isByUser });
  const { settled, maybeRead, read, troubles, worktree } = removed;
  return {
    ...{ settled, maybeRead, read },
    ...(troubles.length > 0 ? { troubles } : {}),
    ...(worktree ? { worktree } : {}),
  };
}
