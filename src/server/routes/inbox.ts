import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { openStates } from '../../messages/transitions.ts';
import { queryNumber } from '../../protocol/schemas/bounds.ts';
import {
  checkSchema,
  drainSchema,
  inboxListSchema,
  lookedSchema,
  messageStateSchema,
} from '../../protocol/schemas/messages.ts';
import type { LiveContext } from '../../requests/context.ts';
import { drain, viewLetters } from '../../requests/drain.ts';
import { listInbox } from '../../requests/list-inbox.ts';
import { look as lookFor } from '../../requests/look.ts';
import { errorFacts, type Log } from '../../shared/log.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { agentParam, describeRoute, json, orFault } from '../describe-route.ts';
import { findCaller } from '../find-caller.ts';
import { respondWith } from '../hand-over.ts';
import type { Carried } from '../read-bounded.ts';

/** An inbox: looked into, taken from, and the hint that something came. */
export function addInboxRoutes(app: OpenAPIHono, context: LiveContext, log: Log): void {
  app.openapi(list, async (c) => {
    const { state: states = openStates, max } = c.req.valid('query');
    const caller = await findCaller(context, c);
    return c.json(await listInbox(context, caller, { ...c.req.valid('param'), states, max }), 200);
  });

  app.openapi(check, async (c) => {
    const wish = { ...c.req.valid('param'), max: c.req.valid('json').max };
    const drained = await drain(context, await findCaller(context, c), wish);
    const { agent, letters, remaining, deadLetters, finish, lose } = drained;
    const messages = await viewLetters(context, letters);
    // Typed as the document that it streams.
    return respondWith(
      { document: { messages, remaining, deadLetters }, finish, lose },
      (error) => {
        reportBug('settling what was handed out', error);
        log.error({ agent, ...errorFacts(error) }, 'what was handed out could not be settled');
      },
    ) as never;
  });

  app.openapi(look, async (c) => {
    const { looked } = (c.env ?? {}) as Partial<Carried>;
    const caller = await findCaller(context, c);
    const broken = await lookFor(context, caller, { ...c.req.valid('param'), looked });
    return broken === undefined ? c.body(null, 204) : c.json({ broken }, 200);
  });
}

const list = describeRoute({
  operationId: 'listInbox',
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
          items: { type: 'string', enum: [...messageStateSchema.options] },
          description: 'Open ones by default.',
        }),
      max: queryNumber(1, 1000),
    }),
  },
  responses: { 200: json(inboxListSchema, 'In order.'), ...orFault },
});

const check = describeRoute({
  operationId: 'checkInbox',
  method: 'post',
  path: '/agents/{agent}/inbox/check',
  summary:
    'Takes messages. In an agent’s own terminal at most 16 KB, which its next call answers for; else they are acked with the answer.',
  request: {
    params: agentParam,
    body: { required: false, ...json(checkSchema, 'How many at most.') },
  },
  responses: { 200: json(drainSchema, 'What was taken, and how many remain.'), ...orFault },
});

const look = describeRoute({
  operationId: 'lookAtInbox',
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
