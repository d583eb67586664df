import { parseName } from '../agents/agent-name.ts';
import type { AgentView } from '../protocol/agents.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { showAgentsNow } from './parts/agent-views.ts';
import { nameDebts } from './parts/name-debts.ts';
import { QuestionReader } from './parts/read-questions.ts';
import { settleToShow } from './parts/settle-to-show.ts';

export interface ListAgentsWish {
  readonly session?: string | undefined;
  /** By default all of them. */
  readonly max?: number;
}

export interface ListedAgents {
  readonly agents: readonly AgentView[];
  /** Beyond those that are listed. */
  readonly remaining: number;
}

/** Every living agent, or those of one session. */
export const listAgents = defineRequest(
  async (context: Context, asker, wish: ListAgentsWish): Promise<ListedAgents> => {
    const { session, max = Number.POSITIVE_INFINITY } = wish;
    const { ledger } = context;
    const wanted = session === undefined ? undefined : parseName(session, 'session');
    await settleToShow(context, await ledger.read((tx) => tx.agents.list(wanted)));
    return ledger.read(async (tx) => {
      const all = await tx.agents.list(wanted);
      const shown = await showAgentsNow(context, tx, all.slice(0, max));
      const reader = new QuestionReader(tx, asker);
      const read = await Promise.all(shown.map((view) => reader.view(view)));
      const agents = await nameDebts(tx, asker.agent, read);
      return { agents, remaining: all.length - agents.length };
    });
  },
);
