import type { Agent } from '../../agents/agent.ts';
import { callName } from '../../agents/reference.ts';
import type { RouteState } from '../../delivery/describe-routes.ts';
import { describeUnwoken } from '../../delivery/explain-unwoken.ts';
import { showHold } from '../../delivery/find-hold.ts';
import type { LiveAgent } from '../../fleet/fleet.ts';
import { findLostTools } from '../../fleet/lost-tools.ts';
import { describeBroken, describeWait } from '../../messages/describe-wait.ts';
import type { WaitReason } from '../../messages/wait-reason.ts';
import type { AgentView } from '../../protocol/agents.ts';
import { listDamage, toIso, viewAgent, viewEpoch } from '../../protocol/views.ts';
import { errorFacts } from '../../shared/log.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { Context, Live } from '../context.ts';
import { viewEnding } from './ending-view.ts';

/** What the ledger knows of an agent, and on top of it what a daemon knows right now. */
export async function showAgentNow(
  context: Context,
  tx: LedgerTransaction,
  agent: Agent,
): Promise<AgentView> {
  const view = await viewAgent(tx, agent);
  const { live } = context;
  const running = live?.fleet.live(agent.id);
  if (!(live && running) && agent.backend === 'none') return view;
  const ending = await viewEnding(context, tx, agent);
  const shown =
    live && running
      ? await addRunning(context, tx, agent, { view, live, running })
      : await addLastKnown(context, tx, agent, view);
  return { ...shown, ...ending, ...(await judgeVersionOf(context, shown)) };
}

/**
 * Of a life that has ended nothing is to be expected, and the next one may have another version.
 */
async function judgeVersionOf(
  context: Context,
  { provider, providerVersion, status }: AgentView,
): Promise<Pick<AgentView, 'versionWarning'>> {
  if (status === 'exited') return {};
  const versionWarning = await context.versionWarning(provider, providerVersion);
  return versionWarning ? { versionWarning } : {};
}

interface Running {
  readonly view: AgentView;
  readonly live: Live;
  readonly running: LiveAgent;
}

async function addRunning(
  context: Context,
  tx: LedgerTransaction,
  agent: Agent,
  { view, live, running }: Running,
): Promise<AgentView> {
  // The detail belongs to the status that it came with.
  const { detail: _, ...lasting } = view;
  const held = await showHold(tx, { ...agent, status: running.status }, budgetsOf(context));
  const broken = live.delivery.broken(agent.id);
  const unwoken = live.delivery.unwoken(agent.id);
  const small = live.delivery.routes(agent.id)?.find(isTooSmall)?.why;
  const lost = await findLostTools(tx, agent);
  const epoch = await tx.epochs.find(agent.id, agent.epoch);
  const notes = [
    ...(view.notes ?? []),
    ...listDamage(epoch ?? {}),
    ...running.notes,
    ...(small ? [describeWait(small)] : []),
    ...(lost ? [`${lost.what}; ${lost.next}`] : []),
  ];
  return {
    ...lasting,
    ...viewRunning(running),
    ...held,
    ...(broken ? { broken: describeBroken(broken) } : {}),
    ...(unwoken ? { unwoken: describeUnwoken(callName(agent), unwoken) } : {}),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function isTooSmall({ why }: RouteState): boolean {
  return why?.code === 'window-too-small';
}

async function addLastKnown(
  context: Context,
  tx: LedgerTransaction,
  agent: Agent,
  view: AgentView,
): Promise<AgentView> {
  const silence = context.live && explainSilence(context.live, agent);
  const epoch = await tx.epochs.find(agent.id, agent.epoch);
  const unwoken = await context.unwoken(agent, epoch);
  const notes = [
    ...(view.notes ?? []),
    ...listDamage(epoch ?? {}),
    ...(silence ? [`${describeWait(silence)}; this is what was last known`] : []),
  ];
  return {
    ...view,
    ...(await showHold(tx, agent, budgetsOf(context))),
    ...viewEpoch(epoch),
    ...(unwoken === undefined ? {} : { unwoken }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** What a daemon with these settings holds back. */
function budgetsOf({ budgets, surroundings }: Context) {
  return { limits: budgets, now: surroundings.clock.now() };
}

/** Why nobody sees an agent that may well run, where that is its backend's doing. */
export function explainSilence(
  { fleet }: Pick<Live, 'fleet'>,
  agent: Agent,
): WaitReason | undefined {
  if (agent.status === 'exited' || fleet.live(agent.id)) return undefined;
  const backend = fleet.health().backends.find(({ name }) => name === agent.backend);
  if (!backend || backend.state === 'ready') return undefined;
  return { code: 'backend-silent', backend: backend.name, detail: backend.detail };
}

/**
 * B14: what is wrong with one agent is written on that agent, and the others are listed all the
 * same.
 */
export async function showAgentsNow(
  context: Context,
  tx: LedgerTransaction,
  agents: readonly Agent[],
): Promise<readonly AgentView[]> {
  return Promise.all(
    agents.map(async (agent) => {
      try {
        return await showAgentNow(context, tx, agent);
      } catch (error) {
        reportBug('showing an agent', error);
        context.log?.error({ agent: agent.id, ...errorFacts(error) }, 'an agent cannot be shown');
        return viewBroken(agent, error);
      }
    }),
  );
}

function viewRunning(live: LiveAgent): Partial<AgentView> {
  return {
    status: live.status,
    ...(live.detail === undefined ? {} : { detail: live.detail }),
    ...(live.question === undefined ? {} : { question: live.question }),
    ...(live.questions === undefined ? {} : { questions: live.questions }),
    source: live.source,
    since: toIso(live.since),
    composer: live.composer,
    ...(live.humanTypedAt === undefined ? {} : { humanTypedAt: toIso(live.humanTypedAt) }),
    ...(live.providerVersion === undefined ? {} : { providerVersion: live.providerVersion }),
    ...(live.conversation === undefined ? {} : { conversation: live.conversation }),
  };
}

function viewBroken(agent: Agent, error: unknown): AgentView {
  const why = error instanceof Error ? error.message : String(error);
  return {
    id: agent.id,
    name: agent.name,
    session: agent.session,
    ...(agent.namesakes ? { namesakes: true } : {}),
    provider: agent.provider,
    backend: agent.backend,
    epoch: agent.epoch,
    status: 'unknown',
    source: 'none',
    since: toIso(agent.since),
    cwd: agent.cwd,
    inbox: { queued: 0, claimed: 0, injected: 0, uncertain: 0, dead: 0 },
    notes: [`It cannot be shown: ${why}`],
  };
}
