import { isUser } from '../agents/agent.ts';
import { parseName } from '../agents/agent-name.ts';
import { add } from '../fleet/add.ts';
import type { AgentView } from '../protocol/agents.ts';
import { viewAgent } from '../protocol/views.ts';
import { defineRequest } from './define.ts';
import { findParent } from './parts/find-parent.ts';
import { type AddingContext, limitAdded } from './parts/limit-added.ts';
import { withNamesakes } from './parts/tell-namesakes.ts';

export interface AddWish {
  readonly name: string;
  readonly session?: string;
  readonly parent?: string;
  readonly notify: boolean;
  readonly cwd: string;
}

/** Adds an agent without a terminal of ours: it pulls its messages. */
export const addAgent = defineRequest(
  async (context: AddingContext, caller, wanted: AddWish): Promise<AgentView> => {
    const { ledger, surroundings } = context;
    const name = parseName(wanted.name, 'agent');
    const named = wanted.session === undefined ? undefined : parseName(wanted.session, 'session');
    const parent = await findParent(context, caller, wanted.parent);
    // A child added by an agent belongs to what that agent works on.
    const inherited = isUser(caller.agent) ? undefined : caller.agent.session;
    const place = { session: named ?? inherited, cwd: wanted.cwd };
    const agent = await add(ledger, surroundings.clock, {
      name,
      ...place,
      notify: wanted.notify,
      ...(parent ? { parent: parent.id } : {}),
      ...(await limitAdded(context, caller, place)),
    });
    return ledger.read(async (tx) => withNamesakes(tx, agent, await viewAgent(tx, agent)));
  },
);
