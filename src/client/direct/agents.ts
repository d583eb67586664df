import { type Agent, isUser } from '../../agents/agent.ts';
import { parseName } from '../../agents/agent-name.ts';
import { add } from '../../fleet/add.ts';
import { finishRemovals, remove } from '../../fleet/remove.ts';
import type { AgentView, RemoveResult } from '../../protocol/agents.ts';
import { Fault } from '../../shared/fault.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { WantedAgent } from '../client.ts';
import { type Context, resolveAgent } from './context.ts';
import { settleInboxes } from './settle.ts';
import { viewAgent } from './views.ts';

export async function addAgent(context: Context, wanted: WantedAgent): Promise<AgentView> {
  const { ledger, surroundings, caller } = context;
  const name = parseName(wanted.name, 'agent');
  const session = parseName(wanted.session ?? 'default', 'session');
  const parent = await findParent(context, wanted.parent);
  const agent = await add(ledger, surroundings.clock, {
    name,
    // A child added by an agent belongs to what that agent works on.
    session: wanted.session === undefined && !isUser(caller) ? caller.session : session,
    notify: wanted.notify,
    cwd: wanted.cwd,
    ...(parent ? { parent: parent.id } : {}),
  });
  return ledger.read((tx) => viewAgent(tx, agent));
}

async function findParent(
  { ledger, caller }: Context,
  wanted: string | undefined,
): Promise<Agent | undefined> {
  if (wanted === undefined) return isUser(caller) ? undefined : caller;
  const parent = await ledger.read((tx) => resolveAgent(tx, wanted, caller));
  if (!isUser(parent)) return parent;
  throw new Fault(
    'not-allowed',
    "The user is nobody's parent: completions of an agent without a parent answer tasks alone.",
    'Leave --parent out, or name an agent.',
  );
}

export async function listAgents(
  context: Context,
  session?: string,
): Promise<readonly AgentView[]> {
  const wanted = session === undefined ? undefined : parseName(session, 'session');
  const agents = await context.ledger.read((tx) => tx.agents.list(wanted));
  await settleInboxes(context, agents);
  return context.ledger.read((tx) => Promise.all(agents.map((agent) => viewAgent(tx, agent))));
}

export async function removeAgents(
  context: Context,
  { names, session }: { names: readonly string[]; session?: string },
): Promise<RemoveResult> {
  const { ledger, surroundings, caller } = context;
  // All are found and allowed before the first is removed.
  const agents = await ledger.read(async (tx) => {
    const found = new Map<string, Agent>();
    for (const name of names) {
      const agent = await resolveAgent(tx, name, caller);
      found.set(agent.id, agent);
    }
    if (session !== undefined) {
      const members = (await tx.agents.list(parseName(session, 'session'))).filter(
        (a) => !isUser(a),
      );
      if (members.length === 0) throw noSession(session);
      for (const agent of members) found.set(agent.id, agent);
    }
    for (const agent of found.values()) await requireDescendant(tx, caller, agent);
    // The user first: `remove` refuses it, and then nobody has been removed.
    return [...found.values()].sort((a, b) => Number(isUser(b)) - Number(isUser(a)));
  });
  const removed: { id: string; name: string; settled: number }[] = [];
  for (const agent of agents) {
    const { settled } = await remove(ledger, surroundings, agent.id);
    removed.push({ id: agent.id, name: agent.name, settled });
  }
  await finishRemovals(ledger, surroundings);
  return { removed };
}

/** An agent may end what it started, and nothing else. */
async function requireDescendant(
  tx: LedgerTransaction,
  caller: Agent,
  agent: Agent,
): Promise<void> {
  if (isUser(caller)) return;
  for (let at = agent.parent; at !== undefined; at = (await tx.agents.find(at))?.parent) {
    if (at === caller.id) return;
  }
  throw new Fault(
    'not-allowed',
    `You are the agent "${caller.name}" and did not start "${agent.name}".`,
    'Ask the user to remove it.',
  );
}

function noSession(session: string): Fault {
  return new Fault('agent-not-found', `No agents in session "${session}".`, 'See `signalbox ls`.');
}
