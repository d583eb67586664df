import { requireAbsolute } from '../fleet/check-folder.ts';
import { checkOutgoing } from '../fleet/outgoing.ts';
import type { Message } from '../messages/message.ts';
import { shortIdIn } from '../messages/short-id.ts';
import type { TaskRequest, TaskView } from '../protocol/tasks.ts';
import { nameView } from '../protocol/views.ts';
import type { VersionWarning } from '../providers/judge-version.ts';
import { reportBug } from '../shared/report-bug.ts';
import { type Assigned, assign } from '../team/assign.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { readUmask } from './parts/read-umask.ts';
import { standIn } from './parts/stand-in.ts';
import { tellUnwoken } from './parts/tell-unwoken.ts';
import { findWarning, isFirstOfLife } from './parts/version-news.ts';

export interface GivenTask {
  readonly given: Assigned;
  readonly view: TaskView;
}

/** Gives a task to an agent, or launches one for it. The task and its debt are on disk then. */
export const giveTask = defineRequest(
  async (context: LiveContext, caller, request: TaskRequest): Promise<GivenTask> => {
    const { ledger, live, bodyLimit } = context;
    const { task: body, env: callerEnv, umask, ...wish } = request;
    checkOutgoing({ ...wish, body }, bodyLimit);
    requireAbsolute(request.cwd);
    const callers = {
      caller: standIn(caller, request.cwd),
      callerEnv,
      callerUmask: readUmask(umask),
    };
    const given = await assign(live.team, { ...wish, ...callers, body });
    const { task, agent, isLaunched: launched, isDuplicate: duplicate, also } = given;
    // The task is on disk: a failure now must not look like one that was not given.
    const found = await ledger
      .read((tx) => tx.messages.find(task))
      .catch((error) => reportBug('looking at a task that was just given', error));
    const unwoken = found?.state === 'queued' ? tellUnwoken(live, agent) : undefined;
    const versionWarning = duplicate ? undefined : await findNews(context, given, found);
    const notes = launched ? (live.fleet.live(agent.id)?.notes ?? []) : [];
    const short = found ? { short: shortIdIn(agent.name, found) } : {};
    const view = {
      ...short,
      ...{
        task,
        agent: nameView(agent),
        launched,
        duplicate,
      },
      ...(also === undefined ? {} : { also }),
      ...(unwoken === undefined ? {} : { unwoken }),
      ...(versionWarning === undefined ? {} : { versionWarning }),
      ...(notes.length === 0 ? {} : { notes }),
    };
    return { given, view };
  },
);

/** With each launch, and else with the first message to a life, as `send` has it. */
async function findNews(
  context: LiveContext,
  { agent, isLaunched }: Assigned,
  task: Message | undefined,
): Promise<VersionWarning | undefined> {
  if (!task) return undefined;
  const { ledger } = context;
  try {
    const now = (await ledger.read((tx) => tx.agents.find(agent.id))) ?? agent;
    const life = await ledger.read((tx) => tx.epochs.find(now.id, now.epoch));
    const warning = await findWarning(context, now, life);
    if (!warning || !life) return undefined;
    return isLaunched || (await isFirstOfLife(ledger, task, life)) ? warning : undefined;
  } catch (error) {
    reportBug('judging the version of an agent that was just given a task', error);
    return undefined;
  }
}
