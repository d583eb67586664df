import { type Agent, isUser } from '../../agents/agent.ts';
import { parseName } from '../../agents/agent-name.ts';
import { showHold } from '../../delivery/find-hold.ts';
import { add } from '../../fleet/add.ts';
import { finishRemovals, remove } from '../../fleet/remove.ts';
import { requireDescendant, resolveAgent } from '../../fleet/resolve-agent.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import type { AgentView, Removed, RemoveResult } from '../../protocol/agents.ts';
import { viewAgent, viewEpoch } from '../../protocol/views.ts';
import { Fault } from '../../shared/fault.ts';
import type { WantedAgent, WhichAgents } from '../client.ts';
import { forEach } from '../several.ts';
import type { Context } from './context.ts';
import { limitAdded } from './limit-added.ts';
import { selectAgents } from './select-agents.ts';

export async function addAgent(context: Context, wanted: WantedAgent): Promise<AgentView> {
  const { ledger, surroundings, caller } = context;
  const name = parseName(wanted.name, 'agent');
  const session = parseName(wanted.session ?? 'default', 'session');
  const parent = await findParent(context, wanted.parent);
  // A child added by an agent belongs to what that agent works on.
  const place = {
    session: wanted.session === undefined && !isUser(caller) ? caller.session : session,
    cwd: wanted.cwd,
  };
  const agent = await add(ledger, surroundings.clock, {
    name,
    ...place,
    notify: wanted.notify,
    ...(parent ? { parent: parent.id } : {}),
    ...(await limitAdded(context, place)),
  });
  return ledger.read((tx) => viewAgent(tx, agent));
}

export async function findParent(
  { ledger, caller }: Context,
  wanted: string | undefined,
): Promise<Agent | undefined> {
  if (wanted === undefined) return isUser(caller) ? undefined : caller;
  const parent = await ledger.read(async (tx) => {
    const named = await resolveAgent(tx, wanted, caller);
    // As with a launch: what an agent adds stands below it, in its session and within its limits.
    if (!isUser(named) && named.id !== caller.id) await requireDescendant(tx, caller, named);
    return named;
  });
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
  return context.ledger.read((tx) =>
    Promise.all(
      agents.map(async (agent) => ({
        ...(await viewAgent(tx, agent)),
        ...(await showHold(tx, agent, budgetsOf(context))),
      })),
    ),
  );
}

/** What a daemon with these settings holds back. */
export function budgetsOf({ settings, surroundings }: Pick<Context, 'settings' | 'surroundings'>) {
  const limits = {
    wakes: settings['wake-budget'].value,
    scripts: settings['script-budget'].value,
  };
  return { limits, now: surroundings.clock.now() };
}

/** One agent as the ledger knows it. */
export async function showAgent(context: Context, reference: string): Promise<AgentView> {
  const { ledger, caller } = context;
  const agent = await ledger.read((tx) => resolveAgent(tx, reference, caller));
  await settleInboxes(context, [agent]);
  return ledger.read(async (tx) => {
    const view = await viewAgent(tx, agent);
    if (!hasTerminal(agent)) return { ...view, routes: ['pull'] };
    return {
      ...view,
      ...(await showHold(tx, agent, budgetsOf(context))),
      ...viewEpoch(await tx.epochs.find(agent.id, agent.epoch)),
    };
  });
}

/** `removeOne` is for those whose terminal somebody else must end first. */
export async function removeAgents(
  context: Context,
  which: WhichAgents,
  removeOne: (agent: Agent) => Promise<Removed> = (agent) => removeFromLedger(context, agent),
): Promise<RemoveResult> {
  const agents = await selectAgents(context, which);
  if (agents.some(isUser)) {
    throw new Fault('not-allowed', 'The user cannot be removed.', 'Name an agent.');
  }
  const { done, failed } = await forEach(agents, (agent) =>
    hasTerminal(agent) ? removeOne(agent) : removeFromLedger(context, agent),
  );
  await finishRemovals(context.ledger, context.surroundings);
  return { removed: done, ...(failed.length > 0 ? { failed } : {}) };
}

async function removeFromLedger(
  { ledger, surroundings, caller }: Context,
  { id, name }: Agent,
): Promise<Removed> {
  const { settled, maybeRead } = await remove(ledger, surroundings, id, isUser(caller));
  return { id, name, settled, maybeRead, read: 0 };
}

export function hasTerminal({ backend }: Pick<Agent, 'backend'>): boolean {
  return backend !== 'none';
}
