import { isUser } from '../agents/agent.ts';
import { beginRun as commitRun } from '../fleet/begin-run.ts';
import type { AgentName } from '../protocol/agents.ts';
import { nameView } from '../protocol/views.ts';
import { defineRequest } from './define.ts';
import { findParent } from './parts/find-parent.ts';
import { type AddingContext, limitAdded } from './parts/limit-added.ts';

export interface RunWish {
  readonly title: string;
  readonly parent?: string;
  readonly cwd: string;
}

export interface RunBegun {
  readonly agent: AgentName;
  readonly title: string;
}

/** Resolves when the start is on disk: the command may run then, and not before (rule 32). */
export const beginRun = defineRequest(
  async (context: AddingContext, caller, wanted: RunWish): Promise<RunBegun> => {
    const { ledger, surroundings } = context;
    const parent = await findParent(context, caller, wanted.parent);
    const above = parent ?? caller.agent;
    const session = isUser(above) ? undefined : above.session;
    const { title, cwd } = wanted;
    const agent = await commitRun(ledger, surroundings, {
      ...{ title, cwd, session, parent: parent?.id },
      ...(await limitAdded(context, caller, { session, cwd })),
    });
    return { agent: nameView(agent), title: agent.detail ?? agent.name };
  },
);
