import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import { parseName } from '../agents/agent-name.ts';
import type { Epoch } from '../agents/epoch.ts';
import { callName } from '../agents/reference.ts';
import type { Role } from '../agents/role.ts';
import { hashToken } from '../agents/token.ts';
import type { Provider } from '../providers/provider.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { Fault } from '../shared/fault.ts';
import { findFreePort } from '../shared/free-port.ts';
import { findGitRoot } from '../shared/git-root.ts';
import { createId, createSecret } from '../shared/ids.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Backend } from '../terminals/backend.ts';
import { launchSize } from '../terminals/terminal.ts';
import { describeGiven, limitRole } from './ceiling.ts';
import { checkFolder } from './check-folder.ts';
import { checkModel } from './check-model.ts';
import { chooseBackend } from './choose-backend.ts';
import { enterSession } from './choose-session.ts';
import { commitFirst } from './commit-first.ts';
import { discardFailed } from './discard-unborn.ts';
import { endLeftovers, helperMark } from './end-leftovers.ts';
import { endLife } from './end-life.ts';
import { describeRelative, filterEnvironment } from './environment.ts';
import { findProgram } from './find-program.ts';
import type { WantedLaunch } from './fleet.ts';
import { inherit } from './inherit.ts';
import { insertAgent, insertNumbered, nameTaken } from './insert-agent.ts';
import { keepTerminal } from './keep-terminal.ts';
import { checkTree } from './limits.ts';
import type { FleetParts } from './parts.ts';
import type { Roster } from './roster.ts';
import { runFolder } from './run-folder.ts';
import { tellJob } from './tell-job.ts';
import { reopenUnread } from './unread-tasks.ts';
import type { BackendWatch } from './watch-backends.ts';
import { makeRoom } from './workers/make-room.ts';
import { leaveRepository } from './worktrees/leave-repository.ts';
import { moveIntoWorktree } from './worktrees/move-into.ts';
import { surveyGround } from './worktrees/survey.ts';
import { writeRunFolder } from './write-run-folder.ts';

/**
 * Starts an agent. The agent, its life and its first message are in the ledger before anything
 * runs; a crash in between leaves a life without a terminal, which the next start of ours writes
 * off as a failed launch.
 */
export async function launch(
  parts: FleetParts,
  { roster, watch }: { readonly roster: Roster; readonly watch: Pick<BackendWatch, 'ready'> },
  wanted: WantedLaunch,
): Promise<Agent> {
  const provider = await parts.providers.find(wanted.provider);
  const role = await limitRole(parts, provider, wanted);
  const wrong = checkModel(wanted.model);
  if (wrong) throw wrong;
  const { env: base, umask, remarks } = await inherit(parts, roster, wanted);
  const filtered = filterEnvironment(base, wanted.extraEnv);
  const env = wanted.worktree ? leaveRepository(filtered) : filtered;
  await checkFolder(wanted.cwd);
  const executable = await findProgram(provider, env, wanted);
  const ground = wanted.worktree ? await surveyGround(parts, wanted, base) : undefined;
  const backend = await watch.ready(await chooseBackend(parts, wanted));
  await makeRoom(parts, roster, wanted);
  const agent = await addAgent(parts, provider, backend, { ...wanted, role });
  return roster.hold(agent.id, async () => {
    try {
      if (wanted.message) await commitFirst(parts, agent, wanted.message);
      const place = ground
        ? await moveIntoWorktree(parts, provider, agent, { ...wanted, env, ground, umask })
        : { cwd: wanted.cwd, executable };
      await beginLife(parts, roster, agent, {
        ...{ provider, backend, env, ...place, umask, epoch: 1 },
        model: wanted.model,
        role,
        extraArgs: wanted.extraArgs,
        resume: undefined,
      });
    } catch (error) {
      // Nothing runs: the name is free again, and whoever sent the first message is told.
      throw await discardFailed(parts, agent, error);
    }
    const relative = describeRelative(wanted.extraEnv['PATH'] ?? base['PATH']);
    const given = describeGiven(wanted.role, role);
    for (const said of [...(wanted.remarks ?? []), ...given, ...remarks, ...relative]) {
      roster.get(agent.id)?.note(said);
    }
    const launched = (await roster.find(agent.id)).agent;
    parts.announce.launched(launched);
    return launched;
  });
}

export interface Start {
  readonly provider: Provider;
  readonly backend: Backend;
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly umask: number;
  readonly epoch: number;
  readonly model: string | undefined;
  readonly role: Role;
  readonly extraArgs: readonly string[];
  readonly resume: string | undefined;
}

/** One life: noted, started, noted again with its terminal, and watched. */
export async function beginLife(
  parts: FleetParts,
  roster: Roster,
  agent: Agent,
  start: Start,
): Promise<void> {
  const { clock } = parts.surroundings;
  const token = createSecret('tok');
  const version = await start.provider
    .readVersion(start.executable)
    .catch((error) => reportBug('reading the version of a CLI', error));
  const draft = draftEpoch(agent, start, { token, version, now: clock.now() });
  const folder = runFolder(parts, draft);
  const tools = await parts.tools(start.role);
  const env = { ...start.env, ...identify(parts, agent, start.epoch, token) };
  const plan = start.provider.planLaunch({
    agent: { id: agent.id, name: agent.name },
    epoch: start.epoch,
    executablePath: start.executable,
    version,
    cwd: start.cwd,
    model: start.model,
    role: await tellJob(parts.ledger, agent, start.role),
    tools,
    extraArgs: start.extraArgs,
    resume: start.resume,
    runFolder: folder,
    env,
    hookCommand: parts.hookCommand,
    newConversation: randomUUID(),
    freePort: await findFreePort(),
  });
  // Where no role can be given, the instructions of our tools say whose tasks are its job.
  const isToldMore = start.role.instructions !== undefined;
  const lacks = plan.lacks?.filter((lack) => isToldMore || lack !== 'instructions') ?? [];
  if (lacks.length > 0) {
    parts.log.warn({ agent: agent.id, lacks }, 'this start cannot give all that was asked for');
  }
  const conversation = plan.conversation ?? start.resume;
  const epoch: Epoch = {
    ...draft,
    argv: plan.argv,
    ...(tools?.http ? { toolsPort: Number(new URL(tools.http.url).port) } : {}),
    ...(conversation === undefined ? {} : { conversation }),
  };
  await parts.ledger.write(async (tx) => {
    await tx.agents.setEpoch(agent.id, epoch.epoch);
    await tx.epochs.insert(epoch);
    await reopenUnread(tx, agent.id);
    await tx.agents.setBackground(agent.id, undefined);
    const since = clock.now();
    await tx.agents.setStatus(agent.id, { status: 'starting', source: 'process', since });
  });
  await reachFailPoint('launch.noted');
  try {
    await writeRunFolder(folder, plan);
    if (start.resume !== undefined) {
      await start.provider.clearBehind?.(start.resume, { ...env, ...plan.env });
    }
    const terminal = await start.backend.launch({
      agent: agent.id,
      epoch: epoch.epoch,
      name: agent.name,
      called: callName(agent),
      argv: plan.argv,
      env: { ...env, ...plan.env },
      cwd: start.cwd,
      umask: start.umask,
      ...launchSize,
      logPath: join(parts.folders.logs, `${agent.id}.log`),
      helpers: plan.helpers.map((helper) => ({
        ...helper,
        env: { ...env, ...plan.env, ...helperMark },
      })),
    });
    await reachFailPoint('launch.started');
    await keepTerminal(parts, epoch, terminal);
    const begun = { ...agent, epoch: epoch.epoch, status: 'starting' as const };
    await roster.watch(begun, epoch, terminal, { ...env, ...plan.env });
    for (const said of plan.remarks ?? []) roster.get(agent.id)?.note(said);
  } catch (error) {
    // Its answer may have been lost after it began.
    await endLeftovers(parts, epoch);
    const end = { at: clock.now(), cause: 'launch-failed' };
    // A ledger that cannot take this either gets it from the next reconciliation.
    await endLife(parts, agent, epoch, end).catch((left) =>
      reportBug('recording a launch that failed', left),
    );
    if (error instanceof Fault) throw error;
    throw new Fault(
      'launch-failed',
      `"${callName(agent)}" could not be started: ${error instanceof Error ? error.message : String(error)}.`,
      'See `signalbox doctor` and `signalbox logs`.',
      { cause: error },
    );
  }
}

async function addAgent(
  parts: FleetParts,
  provider: Provider,
  backend: Backend,
  wanted: WantedLaunch,
): Promise<Agent> {
  const now = parts.surroundings.clock.now();
  const draft: Omit<Agent, 'name' | 'session'> = {
    id: createId('agt', now),
    provider: provider.name,
    backend: backend.name,
    epoch: 0,
    status: 'starting',
    source: 'process',
    since: now,
    notify: wanted.notify,
    cwd: wanted.cwd,
    createdAt: now,
    ...(Object.keys(wanted.role).length === 0 ? {} : { role: wanted.role }),
    ...(wanted.parent === undefined ? {} : { parent: wanted.parent }),
    ...(wanted.endsWith === undefined ? {} : { endsWith: wanted.endsWith }),
  };
  const stem = wanted.role.profile ?? provider.name;
  const root = wanted.session === undefined ? findGitRoot(wanted.cwd) : undefined;
  let session = wanted.session;
  const agent = await parts.ledger.write(async (tx) => {
    const { parent, name } = wanted;
    if (parent !== undefined && !(await tx.agents.isLiving(parent))) {
      throw new Fault('agent-not-found', 'That parent has been removed.', 'Name another, or none.');
    }
    await checkTree(tx, parts.limits, wanted);
    session = wanted.session ?? (await enterSession(tx, root));
    const placed = { ...draft, session };
    if (name !== undefined) return insertAgent(tx, { ...placed, name: parseName(name, 'agent') });
    return insertNumbered(tx, placed, (n) => `${stem}-${n}`);
  });
  if (agent) return agent;
  throw nameTaken(`${session}/${wanted.name}`, 'launched');
}

function draftEpoch(
  agent: Agent,
  start: Start,
  { token, version, now }: { token: string; version: string | undefined; now: number },
): Epoch {
  return {
    agent: agent.id,
    epoch: start.epoch,
    backend: start.backend.name,
    provider: start.provider.name,
    argv: [],
    extraArgs: start.extraArgs,
    tokenHash: hashToken(token),
    startedAt: now,
    umask: start.umask,
    ...(version === undefined ? {} : { providerVersion: version }),
    ...(start.model === undefined ? {} : { model: start.model }),
  };
}

/** Also the mark by which every process of this life is found again when it must end. */
function identify(
  parts: FleetParts,
  agent: Agent,
  epoch: number,
  token: string,
): Record<string, string> {
  return {
    ...parts.agentEnv,
    SIGNALBOX_AGENT: agent.id,
    SIGNALBOX_EPOCH: String(epoch),
    SIGNALBOX_TOKEN: token,
  };
}
