import { requireAbsolute } from '../fleet/check-folder.ts';
import { checkBody } from '../fleet/outgoing.ts';
import type { AgentView } from '../protocol/agents.ts';
import type { LaunchRequest } from '../protocol/terminals.ts';
import { planLaunch } from '../team/plan-launch.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { showAgentNow } from './parts/agent-views.ts';
import { findParent } from './parts/find-parent.ts';
import { readUmask } from './parts/read-umask.ts';
import { standIn } from './parts/stand-in.ts';
import { withNamesakes } from './parts/tell-namesakes.ts';

/** Starts an agent in a terminal of ours. */
export const launch = defineRequest(
  async (context: LiveContext, caller, request: LaunchRequest): Promise<AgentView> => {
    const { ledger, live, bodyLimit } = context;
    const { message: body, env: callerEnv, umask, provider, parent, ...wish } = request;
    if (body !== undefined) checkBody(body, bodyLimit);
    requireAbsolute(request.cwd);
    const target = await live.team.findTarget(provider, request.cwd);
    const wanted = planLaunch(caller, target, {
      ...wish,
      parent: await findParent(context, standIn(caller, request.cwd), parent),
      ...{ callerEnv, callerUmask: readUmask(umask) },
      first: body === undefined ? undefined : { body },
    });
    const agent = await live.fleet.launch(wanted);
    return ledger.read(async (tx) =>
      withNamesakes(tx, agent, await showAgentNow(context, tx, agent)),
    );
  },
);
