import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { type Agent, isUser } from '../../agents/agent.ts';
import { parseName } from '../../agents/agent-name.ts';
import type { WantedLaunch } from '../../fleet/fleet.ts';
import type { LaunchTarget } from '../../fleet/launch-target.ts';
import { checkBody } from '../../fleet/outgoing.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { agentSchema, removeResultSchema } from '../../protocol/schemas/agents.ts';
import { launchSchema, restartSchema, stopSchema } from '../../protocol/schemas/terminals.ts';
import type { LaunchRequest } from '../../protocol/terminals.ts';
import { Fault } from '../../shared/fault.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import { viewLiveAgent } from '../agent-views.ts';
import type { ServerParts } from '../parts.ts';
import { readUmask } from '../read-umask.ts';
import { agentParam, findCaller, findOwnAgent, json, orFault } from '../requests.ts';

/** The life of an agent with a terminal of ours: launch, stop, restart, remove. */
export function addLifecycleRoutes(app: OpenAPIHono, parts: ServerParts): void {
  const { fleet, ledger } = parts;
  const view = (agent: Agent) => ledger.read((tx) => viewLiveAgent(parts, tx, agent));

  app.openapi(launch, async (c) => {
    const request = c.req.valid('json') as LaunchRequest;
    if (request.message !== undefined) checkBody(request.message, parts.bodyLimit);
    const target = await parts.team.findTarget(request.provider, request.cwd);
    const wanted = await ledger.read(async (tx) =>
      planLaunch(tx, request, target, await findCaller(tx, c)),
    );
    return c.json(await view(await fleet.launch(wanted)), 201);
  });

  app.openapi(stop, async (c) => {
    const { id, name } = await findOwnAgent(parts, c, c.req.valid('param').agent);
    return c.json({ id, name, ...(await fleet.stop(id)) }, 200);
  });

  app.openapi(restart, async (c) => {
    const { fresh, env, umask } = c.req.valid('json');
    const { id } = await findOwnAgent(parts, c, c.req.valid('param').agent);
    const caller = await ledger.read((tx) => findCaller(tx, c));
    const callerAgent = isUser(caller) ? undefined : caller.id;
    // An agent sets no umask, not even for a child of which none is known.
    const callerUmask = callerAgent === undefined ? readUmask(umask) : undefined;
    const wanted = { fresh, callerEnv: env, callerUmask, callerAgent };
    return c.json(await view(await fleet.restart(id, wanted)), 200);
  });

  app.openapi(remove, async (c) => {
    const { id, name } = await findOwnAgent(parts, c, c.req.valid('param').agent);
    const isByUser = isUser(await ledger.read((tx) => findCaller(tx, c)));
    const { settled, maybeRead, read, troubles, worktree } = await fleet.remove(id, { isByUser });
    const removed = {
      ...{ id, name, settled, maybeRead, read },
      ...(troubles.length > 0 ? { troubles } : {}),
      ...(worktree ? { worktree } : {}),
    };
    return c.json({ removed: [removed] }, 200);
  });
}

/**
 * A child belongs to what its launcher works on, and is what its profile says, unless it is said
 * otherwise.
 */
async function planLaunch(
  tx: LedgerTransaction,
  request: LaunchRequest,
  target: LaunchTarget,
  caller: Agent,
): Promise<WantedLaunch> {
  const { session, parent } = request;
  const byAgent = isUser(caller) ? undefined : caller;
  const named = parent === undefined ? undefined : await resolveAgent(tx, parent, caller);
  if (named && isUser(named)) {
    throw new Fault('not-allowed', "The user is nobody's parent.", 'Leave --parent out.');
  }
  return {
    provider: target.provider,
    name: request.name === undefined ? undefined : parseName(request.name, 'agent'),
    session:
      session === undefined ? (byAgent?.session ?? 'default') : parseName(session, 'session'),
    parent: (named ?? byAgent)?.id,
    notify: request.notify && target.notify !== false,
    cwd: request.cwd,
    model: request.model ?? target.model,
    terminal: request.terminal,
    role: target.role,
    worktree: request.worktree === true || target.worktree === true,
    extraArgs: request.extraArgs,
    callerEnv: request.env,
    callerUmask: readUmask(request.umask),
    extraEnv: { ...target.env, ...request.extraEnv },
    ...(target.remarks ? { remarks: target.remarks } : {}),
    callerAgent: byAgent?.id,
    message:
      request.message === undefined
        ? undefined
        : { from: caller.id, body: request.message, isScript: caller.isScript === true },
  };
}

const launch = createRoute({
  method: 'post',
  path: '/agents',
  summary: 'Starts an agent in a terminal of ours.',
  request: { body: { required: true, ...json(launchSchema, 'What to start, and how.') } },
  responses: { 201: json(agentSchema, 'The agent that was started.'), ...orFault },
});

const stop = createRoute({
  method: 'post',
  path: '/agents/{agent}/stop',
  summary: 'Ends its processes for good. Its inbox stays.',
  request: { params: agentParam },
  responses: { 200: json(stopSchema, 'How it ended.'), ...orFault },
});

const restart = createRoute({
  method: 'post',
  path: '/agents/{agent}/restart',
  summary: 'Begins its next epoch, and resumes its conversation where the CLI can.',
  request: {
    params: agentParam,
    body: { required: true, ...json(restartSchema, 'How to start it again.') },
  },
  responses: { 200: json(agentSchema, 'The agent.'), ...orFault },
});

const remove = createRoute({
  method: 'delete',
  path: '/agents/{agent}',
  summary: 'Stops it, settles what is open in its inbox, tells the senders, and removes it.',
  request: { params: agentParam },
  responses: { 200: json(removeResultSchema, 'What was settled.'), ...orFault },
});
