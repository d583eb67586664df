import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { type Agent, isUser } from '../../agents/agent.ts';
import { parseName } from '../../agents/agent-name.ts';
import { findUnconfirmed } from '../../delivery/leave-unconfirmed.ts';
import { agentListSchema, agentSchema } from '../../protocol/schemas/agents.ts';
import { explainSilence, viewAgents, viewLiveAgent } from '../agent-views.ts';
import { neutraliseDocument } from '../mcp/tool-text.ts';
import type { ServerParts } from '../parts.ts';
import { agentParam, findAgent, findCaller, json, orFault } from '../requests.ts';
import { findMissing, findOpen } from '../route-views.ts';

export function addAgentRoutes(app: OpenAPIHono, parts: ServerParts): void {
  app.openapi(list, async (c) => {
    const { session } = c.req.valid('query');
    const wanted = session === undefined ? undefined : parseName(session, 'session');
    const { caller, agents } = await parts.ledger.read(async (tx) => ({
      caller: await findCaller(tx, c),
      agents: await viewAgents(parts, tx, await tx.agents.list(wanted)),
    }));
    return c.json({ agents: viewFor(caller, agents) }, 200);
  });

  app.openapi(show, async (c) => {
    const agent = await findAgent(parts, c, c.req.valid('param').agent);
    const { caller, view, unconfirmed } = await parts.ledger.read(async (tx) => ({
      caller: await findCaller(tx, c),
      view: await viewLiveAgent(parts, tx, agent),
      unconfirmed: await findUnconfirmed(tx, agent),
    }));
    const notes = [
      ...(view.notes ?? []),
      ...(unconfirmed === undefined ? [] : [`unconfirmed: ${unconfirmed}`]),
    ];
    const routes = findOpen(parts, agent) ?? (await parts.routesOf(agent.provider));
    const lacks = findMissing(parts, agent);
    const carried = parts.delivery.waitsFor(agent.id) ?? explainSilence(parts, agent);
    const waitsFor = view.inbox.queued > 0 ? carried : undefined;
    return c.json(
      viewFor(caller, {
        ...view,
        ...(routes ? { routes } : {}),
        ...(lacks ? { lacks } : {}),
        ...(waitsFor === undefined ? {} : { waitsFor }),
        ...(notes.length === 0 ? {} : { notes }),
      }),
      200,
    );
  });
}

/**
 * As `list_agents` does: what an agent shows and says of itself are words of others to the one that
 * asks (rule 47).
 */
function viewFor<T>(caller: Agent, view: T): T {
  return isUser(caller) ? view : neutraliseDocument(view);
}

const list = createRoute({
  method: 'get',
  path: '/agents',
  summary: 'Every living agent, with what is known of it right now.',
  request: { query: z.object({ session: z.string().optional() }) },
  responses: { 200: json(agentListSchema, 'The agents, by name.'), ...orFault },
});

const show = createRoute({
  method: 'get',
  path: '/agents/{agent}',
  summary: 'One agent in full, with the routes into it.',
  request: { params: agentParam },
  responses: { 200: json(agentSchema, 'The agent.'), ...orFault },
});
