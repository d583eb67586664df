import type { Agent } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import type { Profile } from '../profiles/profile.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { Fault } from '../shared/fault.ts';
import { reportBug } from '../shared/report-bug.ts';
import { tellDone } from '../shared/unwritten.ts';
import { requireStillTrusted } from '../trust/require-trusted.ts';
import { admitProfile } from './admit-profile.ts';
import { awaitStart } from './await-start.ts';
import { requireNoMore } from './ceiling.ts';
import { checkFolder, checkFolderOf } from './check-folder.ts';
import { chooseConversation } from './choose-conversation.ts';
import { damagedRow } from './damaged-row.ts';
import { endStranded } from './end-stranded.ts';
import { describeRelative, filterEnvironment } from './environment.ts';
import { explainEnd } from './explain-end.ts';
import { findProgram } from './find-program.ts';
import type { WantedRestart } from './fleet.ts';
import { inherit } from './inherit.ts';
import { knownUmask } from './known-umask.ts';
import { beginLife } from './launch.ts';
import type { FleetParts } from './parts.ts';
import type { Roster } from './roster.ts';
import { stopLife } from './stop.ts';
import type { BackendWatch } from './watch-backends.ts';
import { leaveRepository } from './worktrees/leave-repository.ts';
import { checkWorktree } from './worktrees/tidy.ts';

/**
 * Begins the next epoch in the same backend with the same provider, arguments, model, folder and
 * umask, and the environment of whoever asks, with what its profile sets (rule 40). An agent that
 * asks hands on what it was launched with, and no more permission than it has. The conversation is
 * resumed where the CLI can (rule 37). What could prevent the start is checked before the old life
 * ends. Returns when the new life is beyond its start, and throws what its CLI said when it has
 * ended before.
 */
export async function restart(
  parts: FleetParts,
  means: RestartMeans,
  id: string,
  wanted: WantedRestart,
): Promise<Agent> {
  const begun = await beginNext(parts, means, id, wanted);
  if (!begun) return (await means.roster.find(id)).agent;
  const { agent, ...life } = begun;
  const { roster, signal } = means;
  const next = { agent: id, epoch: agent.epoch };
  const start = await awaitStart(parts, roster, next, { limitMs, signal });
  if (typeof start === 'object') throw await explainEnd(parts, agent, start, life);
  return (await roster.find(id)).agent;
}

/**
 * Whoever asked waits so long at most; its own limit is 60 s, and the life before had to end within
 * the same request.
 */
const limitMs = 45_000;

export interface RestartMeans {
  readonly roster: Roster;
  readonly watch: Pick<BackendWatch, 'ready'>;
  /** Ends when nobody can wait any longer. */
  readonly signal: AbortSignal;
}

function beginNext(
  parts: FleetParts,
  { roster, watch }: RestartMeans,
  id: string,
  wanted: WantedRestart,
): Promise<Begun | undefined> {
  return roster.hold(id, async () => {
    const found = await roster.find(id);
    const { agent: before, epoch } = found;
    // Somebody else has started or stopped it meanwhile.
    if (wanted.isCallBack && before.calledBy === undefined) return undefined;
    if (!epoch) throw noTerminal(before);
    const agent = move(before, wanted);
    // Role and arguments that cannot be read would be a life of another kind.
    if (agent.damaged || epoch.damaged) throw damagedRow(agent, epoch);
    const provider = await parts.providers.find(epoch.provider);
    const own = await readOwnVariables(parts, agent);
    const { extraArgs, model } = epoch;
    const asked = { agent, extraArgs, model, extraEnv: own.env };
    await requireNoMore(parts, provider, wanted.callerAgent, asked);
    const heir = wanted.isCallBack ? { ...wanted, callerAgent: id } : wanted;
    const inherited = await inherit(parts, roster, heir);
    const { env: base } = inherited;
    const filtered = filterEnvironment(base, own.env);
    const env = agent.worktree ? leaveRepository(filtered) : filtered;
    const umask = knownUmask(epoch) ?? inherited.umask;
    await checkWorktree(agent);
    if (wanted.cwd === undefined) await checkFolderOf(agent);
    else await checkFolder(wanted.cwd);
    const executable = await findProgram(provider, env, {
      cwd: agent.cwd,
      extraArgs: epoch.extraArgs,
    });
    // Both throw while it cannot be asked: then the old life had better go on.
    const backend = await watch.ready(epoch.backend);
    await backend.list();
    await stopLife(parts, roster, found, 'restarted');
    await reachFailPoint('restart.stopped');
    const isMoved = agent.cwd !== before.cwd;
    const startedAt = parts.surroundings.clock.now();
    let resumed: string | undefined;
    try {
      if (isMoved) await parts.ledger.write((tx) => tx.agents.setCwd(id, agent.cwd));
      // CLIs look for a conversation in the folder that it was held in.
      const canResume = provider.capabilities.resume && !wanted.fresh;
      const { resume, isUnsaved } =
        canResume && !isMoved
          ? await chooseConversation(parts, roster, { agent, epoch }, { provider, env })
          : fresh;
      resumed = resume;
      await beginLife(parts, roster, agent, {
        provider,
        backend,
        executable,
        env,
        cwd: agent.cwd,
        umask,
        epoch: agent.epoch + 1,
        model: epoch.model,
        role: agent.role ?? {},
        extraArgs: epoch.extraArgs,
        resume,
      });
      const relative = describeRelative(own.env['PATH'] ?? base['PATH']);
      const remarks = [...own.remarks, ...inherited.remarks, ...relative];
      const begun = [...(isUnsaved ? [unsaved] : []), ...(isMoved && canResume ? [moved] : [])];
      for (const said of [...remarks, ...begun]) {
        roster.get(id)?.note(said);
      }
    } catch (error) {
      await endStranded(parts, id).catch((left) =>
        reportBug('telling of a restart that failed', left),
      );
      throw tellDone(`"${callName(agent)}" was ended and could not be started again.`, error);
    }
    const next = (await roster.find(id)).agent;
    parts.announce.launched(next);
    return { agent: next, startedAt, resumed };
  });
}

/**
 * As its profile sets them now; a file of a working folder that has changed since it was trusted is
 * refused, and so is an agent whose profile is not trusted any more, as it was at the launch
 * (rule 46): permission, servers and instructions come from that.
 */
async function readOwnVariables(
  { profiles, trust }: FleetParts,
  agent: Agent,
): Promise<{ readonly env: Profile['env']; readonly remarks: readonly string[] }> {
  const { role } = agent;
  if (role?.trusted) requireStillTrusted(trust, role.trusted, callName(agent));
  const found = role?.profilePath === undefined ? undefined : await profiles.read(role.profilePath);
  if (!found) return { env: {}, remarks: [] };
  const { profile, remarks } = admitProfile(trust, found);
  return { env: profile.env, remarks };
}

const fresh = { resume: undefined, isUnsaved: false };
const moved = 'it works in another folder now, so a new conversation was begun';
const unsaved = 'nothing had been said in its last conversation, so a new one was begun';

function move(agent: Agent, { cwd }: WantedRestart): Agent {
  if (cwd === undefined || cwd === agent.cwd) return agent;
  if (!agent.worktree) return { ...agent, cwd };
  throw new Fault(
    'wrong-state',
    `"${callName(agent)}" works in a worktree of its own, and is not moved out of it.`,
    `Launch another agent there, or restart this one without --cwd.`,
  );
}

interface Begun {
  readonly agent: Agent;
  readonly startedAt: number;
  readonly resumed: string | undefined;
}

export function noTerminal(agent: Agent): Fault {
  return new Fault(
    'wrong-state',
    `"${callName(agent)}" has no terminal of ours.`,
    'It was added with `signalbox agents add`; start and stop it where it runs.',
  );
}
