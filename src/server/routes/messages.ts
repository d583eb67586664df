import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { awaitable } from '../../delivery/reach.ts';
import type { Outgoing } from '../../fleet/outgoing.ts';
import { nameSchema, queryNumber } from '../../protocol/schemas/bounds.ts';
import {
  ackResultSchema,
  ackSchema,
  cancelSchema,
  explanationSchema,
  sendResultSchema,
  sendSchema,
  waitedSchema,
} from '../../protocol/schemas/messages.ts';
import { ack } from '../../requests/ack.ts';
import { cancel as cancelMessage } from '../../requests/cancel.ts';
import type { LiveContext } from '../../requests/context.ts';
import { explain as explainMessage } from '../../requests/explain.ts';
import { send as sendMessage } from '../../requests/send.ts';
import { waitFor } from '../../requests/wait-for.ts';
import { describeRoute, json, orFault } from '../describe-route.ts';
import { findCaller } from '../find-caller.ts';

/** A message and its story: sent, waited for, explained, answered for. */
export function addMessageRoutes(app: OpenAPIHono, context: LiveContext): void {
  app.openapi(send, async (c) => {
    const outgoing = c.req.valid('json') as Outgoing;
    const { sent } = await sendMessage(context, await findCaller(context, c), { outgoing });
    return c.json(sent, sent.duplicate ? 200 : 201);
  });

  app.openapi(answer, async (c) => {
    const messages = await ack(context, await findCaller(context, c), c.req.valid('json'));
    return c.json({ messages: [...messages] }, 200);
  });

  app.openapi(explain, async (c) => {
    const caller = await findCaller(context, c);
    return c.json(await explainMessage(context, caller, c.req.valid('param')), 200);
  });

  app.openapi(cancel, async (c) => {
    const caller = await findCaller(context, c);
    return c.json(await cancelMessage(context, caller, c.req.valid('param')), 200);
  });

  app.openapi(wait, async (c) => {
    const wish = { ...c.req.valid('param'), ...c.req.valid('query'), gone: c.req.raw.signal };
    return c.json(await waitFor(context, await findCaller(context, c), wish), 200);
  });
}

const messageParam = z.object({
  id: nameSchema.openapi({
    param: { name: 'id', in: 'path' },
    description: '`msg_…`, or a short id.',
  }),
});

const send = describeRoute({
  operationId: 'sendMessage',
  method: 'post',
  path: '/messages',
  summary: 'Sends a message; it is on disk before this is answered. The sender is whoever asks.',
  request: { body: { required: true, ...json(sendSchema, 'What to send, and to whom.') } },
  responses: {
    200: json(sendResultSchema, 'The key was known: this is what became of the first.'),
    201: json(sendResultSchema, 'Accepted.'),
    ...orFault,
  },
});

const answer = describeRoute({
  operationId: 'ackMessages',
  method: 'post',
  path: '/messages/ack',
  summary: 'Answers for messages by id, all of them or none, whatever a route is doing with them.',
  request: { body: { required: true, ...json(ackSchema, 'Their ids.') } },
  responses: { 200: json(ackResultSchema, 'All of them are acked.'), ...orFault },
});

const explain = describeRoute({
  operationId: 'explainMessage',
  method: 'get',
  path: '/messages/{id}',
  summary: 'The whole story of one message, and what it waits for.',
  request: { params: messageParam },
  responses: { 200: json(explanationSchema, 'The story.'), ...orFault },
});

const cancel = describeRoute({
  operationId: 'cancelMessage',
  method: 'post',
  path: '/messages/{id}/cancel',
  summary:
    'Takes a message back, for its sender or the user; of a task that its worker has, the answer is owed no longer.',
  request: { params: messageParam },
  responses: { 200: json(cancelSchema, 'What that did.'), ...orFault },
});

/** Longer, and proxies and clients give up first. */
const longestPollMs = 50_000;

const wait = describeRoute({
  operationId: 'waitForMessage',
  method: 'get',
  path: '/messages/{id}/wait',
  summary: 'Waits until it is injected, seen or acked; a fault at once when it never will be.',
  request: {
    params: messageParam,
    query: z.object({
      state: z.enum(awaitable),
      timeoutMs: queryNumber(0, longestPollMs),
    }),
  },
  responses: { 200: json(waitedSchema, 'Whether it came so far; if not, ask again.'), ...orFault },
});
