import { requireAbsolute } from '../fleet/check-folder.ts';
import { checkOutgoing } from '../fleet/outgoing.ts';
import { shortIdIn } from '../messages/short-id.ts';
import type { TaskRequest, TaskView } from '../protocol/tasks.ts';
import { nameView } from '../protocol/views.ts';
import { reportBug } from '../shared/report-bug.ts';
import { type Assigned, assign } from '../team/assign.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { readUmask } from './parts/read-umask.ts';
import { standIn } from './parts/stand-in.ts';
import { tellUnwoken } from './parts/tell-unwoken.ts';
import { findVersionNews } from './parts/version-news.ts';

export interface GivenTask {
  readonly given: Assigned;
  readonly view: TaskView;
}

/** Gives a task to an agent, or launches one for it. The task and its debt are on disk then. */
export const giveTask = defineRequest(
  async (context: LiveContext, caller, request: TaskRequest): Promise<GivenTask> => {
    const { ledger, live, bodyLimit } = context;
    const { task: body, env: callerEnv, umask, handoff: isHandoff, ...wish } = request;
    checkOutgoing({ ...wish, body }, bodyLimit);
    requireAbsolute(request.cwd);
    const callers = {
      caller: standIn(caller, request.cwd),
      callerEnv,
      callerUmask: readUmask(umask),
    };
    const given = await assign(live.team, { ...wish, ...callers, body, isHandoff });
    if (given.isBack) live.team.workers?.look();
    const { task, agent, isLaunched: launched, isDuplicate: duplicate, also } = given;
    // The task is on disk: a failure now must not look like one that was not given.
    const { found, now, life } = await ledger
      .read(async (tx) => {
        const now = (await tx.agents.find(agent.id)) ?? agent;
        const life = await tx.epochs.find(agent.id, now.epoch);
        return { found: await tx.messages.find(task), now, life };
      })
      .catch((error) => {
        reportBug('looking at a task that was just given', error);
        return { found: undefined, now: agent, life: undefined };
      });
    const isWaiting = found?.state === 'queued' && !given.isBack;
    const unwoken = isWaiting ? tellUnwoken(live, agent) : undefined;
    const news = duplicate ? undefined : found;
    const versionWarning = await findVersionNews(context, now, life, news);
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
      ...(given.isBack ? { broughtBack: true as const } : {}),
      ...(also === undefined ? {} : { also }),
      ...(unwoken === undefined ? {} : { unwoken }),
      ...(versionWarning === undefined ? {} : { versionWarning }),
      ...(notes.length === 0 ? {} : { notes }),
    };
    return { given, view };
  },
);
