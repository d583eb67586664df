import type { AgentView } from '../protocol/agents.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { showAgentNow } from './parts/agent-views.ts';
import { findOwnAgent } from './parts/own-agent.ts';

export interface AwaitLaunchWish {
  readonly agent: string;
  readonly timeoutMs: number;
  /** The client has gone. */
  readonly gone: AbortSignal;
}

/**
 * Waits until an agent that was launched is idle, waits for a person or works. One that has ended
 * is a fault with its last words (rule 48).
 */
export const awaitLaunch = defineRequest(
  async (context: LiveContext, caller, wish: AwaitLaunchWish): Promise<AgentView> => {
    const { ledger, live } = context;
    const { timeoutMs: limitMs, gone: signal } = wish;
    const { id } = await findOwnAgent(context, caller, wish.agent);
    const agent = await live.fleet.awaitLaunch(id, { limitMs, signal });
    return ledger.read((tx) => showAgentNow(context, tx, agent));
  },
);
