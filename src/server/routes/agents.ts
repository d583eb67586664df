import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Caller } from '../../agents/caller.ts';
import { neutraliseDocument } from '../../messages/neutralise-document.ts';
import type { AgentView } from '../../protocol/agents.ts';
import { agentListSchema, agentSchema } from '../../protocol/schemas/agents.ts';
import { newNameSchema } from '../../protocol/schemas/bounds.ts';
import type { LiveContext } from '../../requests/context.ts';
import { listAgents } from '../../requests/list-agents.ts';
import { showAgent } from '../../requests/show-agent.ts';
import { agentParam, describeRoute, json, orFault } from '../describe-route.ts';
import { findCaller } from '../find-caller.ts';

export function addAgentRoutes(app: OpenAPIHono, context: LiveContext): void {
  app.openapi(list, async (c) => {
    const caller = await findCaller(context, c);
    const { agents } = await listAgents(context, caller, c.req.valid('query'));
    return c.json({ agents: viewFor(caller, agents) }, 200);
  });

  app.openapi(show, async (c) => {
    const caller = await findCaller(context, c);
    return c.json(viewFor(caller, await showAgent(context, caller, c.req.valid('param'))), 200);
  });
}

/**
 * As `list_agents` does: what an agent shows and says of itself are words of others to the one that
 * asks (rule 47).
 */
export function viewFor<T extends AgentView | readonly AgentView[]>({ kind }: Caller, view: T): T {
  if (kind !== 'agent') return view;
  const shown = Array.isArray(view) ? view.map(leaveOut) : leaveOut(view as AgentView);
  return neutraliseDocument(shown) as T;
}

/** Whole inputs of another's tools are for whoever decides about them (`show-questions.ts`). */
function leaveOut(view: AgentView): AgentView {
  const { questions: _, answers: __, interruptions: ___, ...rest } = view;
  return rest;
}

const list = describeRoute({
  operationId: 'listAgents',
  method: 'get',
  path: '/agents',
  summary: 'Every living agent, with what is known of it right now.',
  request: { query: z.object({ session: newNameSchema.optional() }) },
  responses: { 200: json(agentListSchema, 'The agents, by name.'), ...orFault },
});

const show = describeRoute({
  operationId: 'getAgent',
  method: 'get',
  path: '/agents/{agent}',
  summary: 'One agent in full, with the routes into it.',
  request: { params: agentParam },
  responses: { 200: json(agentSchema, 'The agent.'), ...orFault },
});
