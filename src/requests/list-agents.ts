import { parseName } from '../agents/agent-name.ts';
import { settleInboxes } from '../fleet/settle-inboxes.ts';
import type { AgentView } from '../protocol/agents.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { showAgentsNow } from './parts/agent-views.ts';

/** Every living agent, or those of one session. */
export const listAgents = defineRequest(
  async (
    context: Context,
    _caller,
    { session }: { readonly session?: string | undefined },
  ): Promise<readonly AgentView[]> => {
    const { ledger } = context;
    const wanted = session === undefined ? undefined : parseName(session, 'session');
    await settleInboxes(context, await ledger.read((tx) => tx.agents.list(wanted)));
    return ledger.read(async (tx) => showAgentsNow(context, tx, await tx.agents.list(wanted)));
  },
);
