import type { Agent } from '../agents/agent.ts';
import { findUnconfirmed } from '../delivery/leave-unconfirmed.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { AgentView } from '../protocol/agents.ts';
import { viewInterruption } from '../protocol/view-interruption.ts';
import { viewWait } from '../protocol/view-wait.ts';
import { toIso } from '../protocol/views.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { Context, Live } from './context.ts';
import { defineRequest } from './define.ts';
import { explainSilence, showAgentNow } from './parts/agent-views.ts';
import { nameDebts } from './parts/name-debts.ts';
import { QuestionReader } from './parts/read-questions.ts';
import { findMissing, findOpen } from './parts/route-views.ts';
import { settleToShow } from './parts/settle-to-show.ts';

/** One agent in full, with the routes into it. */
export const showAgent = defineRequest(
  async (
    context: Context,
    asker,
    { agent: reference }: { readonly agent: string },
  ): Promise<AgentView> => {
    const { ledger, live } = context;
    const caller = asker.agent;
    const agent = await ledger.read((tx) => resolveAgent(tx, reference, asker));
    await settleToShow(context, [agent]);
    const { views, unconfirmed, answers, interruptions } = await ledger.read(async (tx) => {
      const shown = await showAgentNow(context, tx, agent);
      const read = await new QuestionReader(tx, asker).view(shown);
      return {
        answers: asker.kind === 'agent' ? [] : await listAnswers(tx, agent),
        interruptions: asker.kind === 'agent' ? [] : await listInterruptions(tx, agent),
        views: await nameDebts(tx, caller, [read]),
        unconfirmed: await findUnconfirmed(tx, agent),
      };
    });
    const [view] = views;
    if (!view) throw new Error('one agent has one view');
    const notes = [
      ...(view.notes ?? []),
      ...(unconfirmed === undefined ? [] : [`unconfirmed: ${unconfirmed}`]),
    ];
    return {
      ...view,
      ...(agent.backend === 'none'
        ? { routes: ['pull'] }
        : live && (await viewRoutes(live, agent))),
      ...(live && viewQueued(live, agent, view)),
      ...(notes.length === 0 ? {} : { notes }),
      ...(answers.length === 0 ? {} : { answers }),
      ...(interruptions.length === 0 ? {} : { interruptions }),
    };
  },
);

/** Enough to see who has answered what, and ended what, of late. */
const mostAnswers = 5;

async function listAnswers(
  tx: LedgerTransaction,
  { id }: Agent,
): Promise<NonNullable<AgentView['answers']>> {
  const made = await tx.answers.list(id, mostAnswers);
  const names = await tx.agents.listNames(made.map(({ by }) => by));
  return made.map(({ question, decision, outcome, by, who, place, at }) => {
    const name = names.get(by);
    return {
      ...{ question, decision, outcome, by: { id: by, name: by, ...name } },
      ...(who === undefined ? {} : { who }),
      ...{ place, at: toIso(at) },
    };
  });
}

async function listInterruptions(
  tx: LedgerTransaction,
  { id }: Agent,
): Promise<NonNullable<AgentView['interruptions']>> {
  return (await tx.interruptions.list(id, mostAnswers)).map(viewInterruption);
}

async function viewRoutes(live: Live, agent: Agent): Promise<Partial<AgentView>> {
  const routes = findOpen(live, agent) ?? (await live.routesOf(agent.provider));
  const lacks = findMissing(live, agent);
  return { ...(routes ? { routes } : {}), ...(lacks ? { lacks } : {}) };
}

/** What its queued messages wait for. */
function viewQueued(live: Live, agent: Agent, { inbox }: AgentView): Partial<AgentView> {
  if (inbox.queued === 0) return {};
  return viewWait(live.delivery.waitsFor(agent.id) ?? explainSilence(live, agent));
}
