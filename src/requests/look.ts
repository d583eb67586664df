import { isUser } from '../agents/agent.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { tellBroken } from './parts/tell-broken.ts';

export interface LookWish {
  readonly agent: string;
  /** The daemon has looked for this one already, before the request was routed. */
  readonly looked?: string | undefined;
}

/**
 * A hint: another process committed something for this agent. Returns what is broken of that which
 * wakes it, if anything is.
 */
export const look = defineRequest(
  async (
    context: LiveContext,
    caller,
    { agent: reference, looked }: LookWish,
  ): Promise<string | undefined> => {
    const { ledger, live } = context;
    const agent = await ledger.read((tx) => resolveAgent(tx, reference, caller));
    if (agent.id !== looked) live.delivery.look(agent.id);
    // Nobody carries anything to the user; live views ring.
    if (isUser(agent)) await live.mailNews?.look();
    // It may have ended, and be called back by what was committed.
    live.team.workers?.look();
    return tellBroken(live, agent);
  },
);
