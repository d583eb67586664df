import type { Agent } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import { findRest } from '../agents/rests-by-choice.ts';
import { requirePerson } from '../fleet/permissions.ts';
import { resolveAgent } from '../fleet/resolve-agent.ts';
import type { AgentView, RemoveResult } from '../protocol/agents.ts';
import type { InterruptView } from '../protocol/interrupt.ts';
import type {
  AttachView,
  OutputMode,
  OutputPiece,
  OutputView,
  StopView,
} from '../protocol/terminals.ts';
import { nameView } from '../protocol/views.ts';
import { Fault } from '../shared/fault.ts';
import { formatUmask, readOwnUmask } from '../shared/umask.ts';
import { buildAttach } from './attach.ts';
import type { Restarted, RestartHow, WantedLaunch, WhichAgents } from './client.ts';
import type { DirectContext } from './direct/context.ts';
import { removeAgents as removeDirectly } from './direct/remove-agents.ts';
import { selectAgents } from './direct/select-agents.ts';
import { chooseLaunchFolder, withNotes } from './launch-folder.ts';
import { forEach, type Several } from './several.ts';
import * as daemon from './socket/agents.ts';
import type { DaemonLink } from './socket/daemon-link.ts';

/**
 * Requests that concern terminals. The ledger is asked for the agent first, so a typo doesn't start
 * the daemon.
 */

type OpenLink = () => Promise<DaemonLink>;

export async function launchAgent(
  { caller }: DirectContext,
  openLink: OpenLink,
  wanted: WantedLaunch,
  env: NodeJS.ProcessEnv,
): Promise<AgentView> {
  const { cwd, notes } = chooseLaunchFolder(caller.agent, wanted.cwd);
  const view = await daemon.launch(await openLink(), { ...wanted, cwd, ...describeCaller(env) });
  return withNotes(view, notes);
}

export async function stopAgents(
  context: DirectContext,
  openLink: OpenLink,
  which: WhichAgents,
): Promise<Several<StopView>> {
  const agents = await selectWithTerminal(context, which);
  // Nothing to stop is no reason to start a daemon.
  if (agents.length === 0) return { done: [], failed: [] };
  const link = await openLink();
  return forEach(agents, ({ id }) => daemon.stop(link, id), { isNamed: isNamed(which) });
}

/** Who may not is told so before a daemon is started. */
export async function interrupt(
  context: DirectContext,
  openLink: OpenLink,
  reference: string,
  timeoutMs: number,
): Promise<InterruptView> {
  requirePerson(context.caller, 'interrupt an agent');
  const [agent] = await selectWithTerminal(context, { names: [reference] });
  if (!agent) throw new Error('one name means one agent');
  const { describeConsent } = await import('./direct/consent.ts');
  const who = describeConsent().slice(0, 200);
  return daemon.interrupt(await openLink(), agent.id, { timeoutMs, who });
}

export async function restartAgents(
  context: DirectContext,
  openLink: OpenLink,
  which: WhichAgents,
  { env, ...how }: RestartHow & { readonly env: NodeJS.ProcessEnv },
): Promise<Restarted> {
  const selected = await selectWithTerminal(context, which);
  const { agents, skipped } = which.all ? await leaveResting(context, selected) : all(selected);
  if (agents.length === 0) return { done: [], failed: [], skipped };
  const link = await openLink();
  const body = { ...how, ...describeCaller(env) };
  const restarted = await forEach(agents, ({ id }) => daemon.restart(link, id, body), {
    isNamed: isNamed(which),
  });
  return { ...restarted, skipped };
}

/** `--all` starts those that ran, and leaves those alone that somebody had ended. */
async function leaveResting(
  { ledger }: DirectContext,
  selected: readonly Agent[],
): Promise<ReturnType<typeof all>> {
  const rests = await ledger.read(async (tx) => {
    const found = new Map<string, string>();
    for (const { id, epoch } of selected) {
      const why = findRest(await tx.epochs.find(id, epoch));
      if (why !== undefined) found.set(id, why);
    }
    return found;
  });
  return {
    agents: selected.filter(({ id }) => !rests.has(id)),
    skipped: selected.flatMap((agent) => {
      const why = rests.get(agent.id);
      return why === undefined ? [] : [{ ...nameView(agent), why }];
    }),
  };
}

function all(agents: readonly Agent[]): {
  readonly agents: readonly Agent[];
  readonly skipped: Restarted['skipped'];
} {
  return { agents, skipped: [] };
}

/** Agents without a terminal of ours need no daemon to go. */
export function removeAgents(
  context: DirectContext,
  openLink: OpenLink,
  which: WhichAgents,
): Promise<RemoveResult> {
  return removeDirectly(context, which, async ({ id }) =>
    daemon.removeWithTerminal(await openLink(), id),
  );
}

export async function readOutput(
  openLink: OpenLink,
  agent: string,
  mode: OutputMode,
): Promise<OutputView> {
  return daemon.readOutput(await openLink(), agent, mode);
}

export async function follow(
  openLink: OpenLink,
  agent: string,
): Promise<AsyncIterable<OutputPiece>> {
  return daemon.followOutput(await openLink(), agent);
}

/** With the name by which anybody may call it. */
export async function findTerminal(
  context: DirectContext,
  reference: string,
): Promise<{ readonly id: string; readonly name: string }> {
  const agent = await findWithTerminal(context, reference);
  return { id: agent.id, name: callName(agent) };
}

export async function attach(
  context: DirectContext,
  openLink: OpenLink,
  reference: string,
  env: NodeJS.ProcessEnv,
): Promise<AttachView> {
  const { id } = await findWithTerminal(context, reference);
  const { agent, kind, ids } = await daemon.attachCommand(await openLink(), id);
  return { agent, argv: await buildAttach({ kind, ids }, context.folders, env), kind, ids };
}

async function findWithTerminal(
  { ledger, caller }: DirectContext,
  reference: string,
): Promise<Agent> {
  const agent = await ledger.read((tx) => resolveAgent(tx, reference, caller));
  if (hasTerminal(agent)) return agent;
  throw noTerminal(agent);
}

/**
 * A session, or all of them, may hold agents of both kinds; those that were named must have one.
 */
async function selectWithTerminal(
  context: DirectContext,
  which: WhichAgents,
): Promise<readonly Agent[]> {
  const agents = await selectAgents(context, which);
  const other = isNamed(which) ? agents.find((one) => !hasTerminal(one)) : undefined;
  if (other) throw noTerminal(other);
  return agents.filter(hasTerminal);
}

function isNamed({ names, all: every }: WhichAgents): boolean {
  return names.length > 0 && !every;
}

function hasTerminal({ backend }: Pick<Agent, 'backend'>): boolean {
  return backend !== 'none';
}

function noTerminal(agent: Agent): Fault {
  return new Fault(
    'wrong-state',
    `"${callName(agent)}" has no terminal of ours: it pulls its messages by itself.`,
    'See `signalbox ls`; `signalbox launch` starts agents that have one.',
  );
}

/** What an agent gets of whoever launches it (rule 40). */
export function describeCaller(env: NodeJS.ProcessEnv): {
  readonly env: Readonly<Record<string, string>>;
  readonly umask: string;
} {
  return { env: defined(env), umask: formatUmask(readOwnUmask()) };
}

function defined(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const set = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(set);
}
