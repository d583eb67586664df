import type { Follow } from '../fleet/fleet.ts';
import { requireUser } from '../fleet/permissions.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';

/** An agent whose raw output is followed. */
interface Followed {
  readonly id: string;
  readonly follow: Follow;
}

/** Raw output as it comes. Raw bytes cannot be neutralised, so it is for the user alone. */
export const followOutput = defineRequest(
  async (context: LiveContext, caller, wish: { readonly agent: string }) => {
    const { id } = await context.ledger.read((tx) => resolveAgent(tx, wish.agent, caller));
    requireUser(caller.agent, 'follow the raw output of an agent');
    return { id, follow: await context.live.fleet.follow(id) } satisfies Followed;
  },
);
