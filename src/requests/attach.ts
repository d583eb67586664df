import { requireUser } from '../fleet/permissions.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { AttachView } from '../protocol/terminals.ts';
import { nameView } from '../protocol/views.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';

export interface AttachWish {
  readonly agent: string;
  /** Of the person who goes there. */
  readonly env: Readonly<Record<string, string>>;
}

/** The way to an agent's terminal. People type there, so it is for the user alone. */
export const attach = defineRequest(
  async (context: LiveContext, caller, wish: AttachWish): Promise<AttachView> => {
    const agent = await context.ledger.read((tx) => resolveAgent(tx, wish.agent, caller));
    requireUser(caller.agent, 'attach to the terminal of an agent');
    const { argv, kind, ids } = await context.live.fleet.attachCommand(agent.id, wish.env);
    return { agent: nameView(agent), argv, kind, ids };
  },
);
