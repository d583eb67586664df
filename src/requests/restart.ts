import { isUser } from '../agents/agent.ts';
import { requireAbsolute } from '../fleet/check-folder.ts';
import { requireUser } from '../fleet/permissions.ts';
import type { AgentView } from '../protocol/agents.ts';
import type { RestartRequest } from '../protocol/terminals.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { showAgentNow } from './parts/agent-views.ts';
import { findOwnAgent } from './parts/own-agent.ts';
import { readUmask } from './parts/read-umask.ts';

export interface RestartWish extends RestartRequest {
  readonly agent: string;
}

/** Begins its next epoch, and resumes its conversation where the CLI can. */
export const restart = defineRequest(
  async (context: LiveContext, caller, wish: RestartWish): Promise<AgentView> => {
    const { ledger, live } = context;
    const { id } = await findOwnAgent(context, caller, wish.agent);
    const callerAgent = isUser(caller.agent) ? undefined : caller.agent.id;
    // An agent sets no umask, not even for a child of which none is known.
    const callerUmask = callerAgent === undefined ? readUmask(wish.umask) : undefined;
    const { fresh, cwd, env: callerEnv } = wish;
    // Where an agent may work is bound by the ceiling, which knows of launches alone.
    if (cwd !== undefined) {
      requireUser(caller.agent, 'move an agent to another folder');
      requireAbsolute(cwd);
    }
    const where = cwd === undefined ? {} : { cwd };
    const how = { fresh, ...where, callerEnv, callerUmask, callerAgent };
    const agent = await live.fleet.restart(id, how);
    return ledger.read((tx) => showAgentNow(context, tx, agent));
  },
);
