import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { agentSchema, removeResultSchema } from '../../protocol/schemas/agents.ts';
import { queryNumber } from '../../protocol/schemas/bounds.ts';
import {
  interruptRequestSchema,
  interruptSchema,
  usualInterruptMs,
} from '../../protocol/schemas/interrupt.ts';
import { launchSchema, restartSchema, stopSchema } from '../../protocol/schemas/terminals.ts';
import type { LaunchRequest, RestartRequest } from '../../protocol/terminals.ts';
import { awaitLaunch } from '../../requests/await-launch.ts';
import type { LiveContext } from '../../requests/context.ts';
import { interrupt as interruptAgent } from '../../requests/interrupt.ts';
import { launch as launchAgent } from '../../requests/launch.ts';
import { remove as removeAgent } from '../../requests/remove.ts';
import { restart as restartAgent } from '../../requests/restart.ts';
import { stop as stopAgent } from '../../requests/stop.ts';
import { agentParam, describeRoute, json, orFault } from '../describe-route.ts';
import { findCaller } from '../find-caller.ts';
import { viewFor } from './agents.ts';

/** The life of an agent with a terminal of ours: launch, stop, restart, remove. */
export function addLifecycleRoutes(app: OpenAPIHono, context: LiveContext): void {
  app.openapi(launch, async (c) => {
    const request = c.req.valid('json') as LaunchRequest;
    const caller = await findCaller(context, c);
    return c.json(viewFor(caller, await launchAgent(context, caller, request)), 201);
  });

  app.openapi(start, async (c) => {
    const { signal: gone } = c.req.raw;
    const wish = { ...c.req.valid('param'), ...c.req.valid('query'), gone };
    const caller = await findCaller(context, c);
    return c.json(viewFor(caller, await awaitLaunch(context, caller, wish)), 200);
  });

  app.openapi(stop, async (c) => {
    const caller = await findCaller(context, c);
    return c.json(await stopAgent(context, caller, c.req.valid('param')), 200);
  });

  app.openapi(interrupt, async (c) => {
    const { timeoutMs = usualInterruptMs, who } = c.req.valid('json');
    const wish = { ...c.req.valid('param'), timeoutMs, who, gone: c.req.raw.signal };
    return c.json(await interruptAgent(context, await findCaller(context, c), wish), 200);
  });

  app.openapi(restart, async (c) => {
    const how = c.req.valid('json') as RestartRequest;
    const wish = { ...how, ...c.req.valid('param') };
    const caller = await findCaller(context, c);
    return c.json(viewFor(caller, await restartAgent(context, caller, wish)), 200);
  });

  app.openapi(remove, async (c) => {
    const caller = await findCaller(context, c);
    return c.json({ removed: [await removeAgent(context, caller, c.req.valid('param'))] }, 200);
  });
}

const launch = describeRoute({
  operationId: 'launchAgent',
  method: 'post',
  path: '/agents',
  summary: 'Starts an agent in a terminal of ours.',
  request: { body: { required: true, ...json(launchSchema, 'What to start, and how.') } },
  responses: { 201: json(agentSchema, 'The agent that was started.'), ...orFault },
});

/** Whoever waits longer asks again. */
const longestStartMs = 60_000;

const start = describeRoute({
  operationId: 'awaitStart',
  method: 'get',
  path: '/agents/{agent}/start',
  summary:
    'Waits until it is idle, waits for a person or works. If it has ended, the fault has its last words.',
  request: {
    params: agentParam,
    query: z.object({ timeoutMs: queryNumber(0, longestStartMs, 10_000) }),
  },
  responses: { 200: json(agentSchema, 'The agent as it is then.'), ...orFault },
});

const stop = describeRoute({
  operationId: 'stopAgent',
  method: 'post',
  path: '/agents/{agent}/stop',
  summary: 'Ends its processes for good. Its inbox stays.',
  request: { params: agentParam },
  responses: { 200: json(stopSchema, 'How it ended.'), ...orFault },
});

const interrupt = describeRoute({
  operationId: 'interruptAgent',
  method: 'post',
  path: '/agents/{agent}/interrupt',
  summary: 'Ends the turn that runs, as its Esc would. For the user at a terminal alone.',
  request: {
    params: agentParam,
    body: { required: true, ...json(interruptRequestSchema, 'How long to wait for its end.') },
  },
  responses: { 200: json(interruptSchema, 'Its turn has ended; what that did.'), ...orFault },
});

const restart = describeRoute({
  operationId: 'restartAgent',
  method: 'post',
  path: '/agents/{agent}/restart',
  summary: 'Starts it again, and resumes its conversation where the CLI can.',
  request: {
    params: agentParam,
    body: { required: true, ...json(restartSchema, 'How to start it again.') },
  },
  responses: { 200: json(agentSchema, 'The agent.'), ...orFault },
});

const remove = describeRoute({
  operationId: 'removeAgent',
  method: 'delete',
  path: '/agents/{agent}',
  summary: 'Stops it, settles what is open in its inbox, tells the senders, and removes it.',
  request: { params: agentParam },
  responses: { 200: json(removeResultSchema, 'What was settled.'), ...orFault },
});
