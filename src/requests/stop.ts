import type { StopView } from '../protocol/terminals.ts';
import { nameView } from '../protocol/views.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { findOwnAgent } from './parts/own-agent.ts';

/** Ends its processes for good. Its inbox stays. */
export const stop = defineRequest(
  async (context: LiveContext, caller, wish: { readonly agent: string }): Promise<StopView> => {
    const agent = await findOwnAgent(context, caller, wish.agent);
    return { ...nameView(agent), ...(await context.live.fleet.stop(agent.id)) };
  },
);
