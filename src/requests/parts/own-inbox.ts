import type { Agent } from '../../agents/agent.ts';
import type { Caller } from '../../agents/caller.ts';
import { requireSelf } from '../../fleet/permissions.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import type { Context } from '../context.ts';

/**
 * Whose inbox is meant, by default the caller's own, after what is due in it was settled. `what` is
 * what an agent may not do with the inbox of another.
 */
export async function findInbox(
  context: Context,
  caller: Caller,
  reference: string | undefined,
  what: string,
): Promise<Agent> {
  const agent = await context.ledger.read((tx) => resolveAgent(tx, reference ?? 'self', caller));
  requireSelf(caller.agent, agent.id, what);
  await settleInboxes(context, [agent]);
  return agent;
}
