import { isUser } from '../agents/agent.ts';
import { nameFor } from '../agents/reference.ts';
import type { StopView } from '../protocol/terminals.ts';
import { nameView } from '../protocol/views.ts';
import { Fault } from '../shared/fault.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { findOwnAgent } from './parts/own-agent.ts';

/** Ends its processes for good. Its inbox stays. */
export const stop = defineRequest(
  async (context: LiveContext, caller, wish: { readonly agent: string }): Promise<StopView> => {
    const agent = await findOwnAgent(context, caller, wish.agent);
    const by = isUser(caller.agent) ? 'person' : 'parent';
    return { ...nameView(agent), ...(await context.live.fleet.stop(agent.id, by)) };
  },
);

/** The same for a tool: only what its caller launched itself, and nothing below that. */
export const stopChild = defineRequest(
  async (context: LiveContext, caller, wish: { readonly agent: string }): Promise<StopView> => {
    const agent = await findOwnAgent(context, caller, wish.agent);
    if (agent.parent !== caller.agent.id) {
      throw new Fault(
        'not-allowed',
        `"${nameFor(caller.agent, agent)}" was not launched by you; it goes on.`,
        'Stop only agents that you launched: `list_agents` shows them with their parents.',
      );
    }
    return { ...nameView(agent), ...(await context.live.fleet.stop(agent.id, 'parent')) };
  },
);
