import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { requireSelf } from '../../fleet/permissions.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import { openStates } from '../../messages/transitions.ts';
import {
  checkSchema,
  drainSchema,
  inboxListSchema,
  lookedSchema,
  messageStateSchema,
} from '../../protocol/schemas/messages.ts';
import { viewList } from '../../protocol/views.ts';
import { errorFacts } from '../../shared/log.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { hearCaller, surroundingsOf } from '../caller.ts';
import { respondWith } from '../hand-over.ts';
import type { ServerParts } from '../parts.ts';
import type { Carried } from '../read-bounded.ts';
import { agentParam, findAgent, json, orFault } from '../requests.ts';
import { type Inbox, takeInbox, viewTaken } from '../take-inbox.ts';
import { tellBroken } from '../tell-broken.ts';

/** An inbox: looked into, taken from, and the hint that something came. */
export function addInboxRoutes(app: OpenAPIHono, parts: ServerParts): void {
  const { ledger, delivery, log } = parts;

  app.openapi(list, async (c) => {
    const { state, max } = c.req.valid('query');
    const { agent } = await findInbox(parts, c, c.req.valid('param').agent, 'list the inbox');
    const query = { to: agent.id, states: state ?? openStates, limit: max };
    return c.json(await ledger.read((tx) => viewList(tx, query)), 200);
  });

  app.openapi(check, async (c) => {
    const inbox = await findInbox(parts, c, c.req.valid('param').agent, 'drain the inbox');
    const handed = await takeInbox(parts, inbox, { max: c.req.valid('json').max });
    const document = await viewTaken(parts, inbox, handed);
    const facts = { agent: inbox.agent.id };
    // Typed as the document that it streams.
    return respondWith({ ...handed, document }, (error) => {
      reportBug('settling what was handed out', error);
      log.error({ ...facts, ...errorFacts(error) }, 'what was handed out could not be settled');
    }) as never;
  });

  app.openapi(look, async (c) => {
    const agent = await findAgent(parts, c, c.req.valid('param').agent);
    const { id } = agent;
    const { looked } = (c.env ?? {}) as Partial<Carried>;
    if (id !== looked) delivery.look(id);
    const broken = tellBroken(parts, agent);
    return broken === undefined ? c.body(null, 204) : c.json({ broken }, 200);
  });
}

async function findInbox(
  parts: ServerParts,
  c: Context,
  reference: string,
  what: string,
): Promise<Inbox> {
  const caller = await hearCaller(parts, c);
  const agent = await parts.ledger.read((tx) => resolveAgent(tx, reference, caller));
  requireSelf(caller, agent.id, what);
  await settleInboxes({ ledger: parts.ledger, surroundings: surroundingsOf(parts) }, [agent]);
  return { agent, caller };
}

const list = createRoute({
  method: 'get',
  path: '/agents/{agent}/inbox',
  summary: 'Looks into an inbox, and takes nothing.',
  request: {
    params: agentParam,
    query: z.object({
      state: z
        .union([messageStateSchema, z.array(messageStateSchema)])
        .optional()
        .transform((given) => (given === undefined ? undefined : [given].flat()))
        .openapi({
          type: 'array',
          items: { type: 'string' },
          description: 'Open ones by default.',
        }),
      max: z.coerce.number().int().min(1).max(1000).default(1000),
    }),
  },
  responses: { 200: json(inboxListSchema, 'In order.'), ...orFault },
});

const check = createRoute({
  method: 'post',
  path: '/agents/{agent}/inbox/check',
  summary:
    'Takes messages. In an agent’s own terminal at most 16 KB, which its next call answers for; else they are acked with the answer.',
  request: {
    params: agentParam,
    body: { required: true, ...json(checkSchema, 'How many at most.') },
  },
  responses: { 200: json(drainSchema, 'What was taken, and how many remain.'), ...orFault },
});

const look = createRoute({
  method: 'post',
  path: '/agents/{agent}/look',
  summary: 'A hint: something was committed for this agent by another process.',
  request: { params: agentParam },
  responses: {
    200: json(lookedSchema, 'It will be looked at; and what is broken of that which wakes it.'),
    204: { description: 'It will be looked at.' },
    ...orFault,
  },
});
