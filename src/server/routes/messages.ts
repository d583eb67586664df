import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { accept } from '../../delivery/accept.ts';
import { awaitable } from '../../delivery/reach.ts';
import { ack } from '../../fleet/ack.ts';
import { describeWait } from '../../fleet/describe-wait.ts';
import { address, checkOutgoing, type Outgoing, readAccepted } from '../../fleet/outgoing.ts';
import { requireParty } from '../../fleet/permissions.ts';
import { resolveMessage } from '../../fleet/resolve-message.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import {
  ackResultSchema,
  ackSchema,
  explanationSchema,
  sendResultSchema,
  sendSchema,
  waitedSchema,
} from '../../protocol/schemas/messages.ts';
import { viewStory } from '../../protocol/story.ts';
import { explainSilence } from '../agent-views.ts';
import { awaitState } from '../await-state.ts';
import { hearCaller, settleCaller, surroundingsOf } from '../caller.ts';
import { giveWay } from '../give-way.ts';
import type { ServerParts } from '../parts.ts';
import { findCaller, json, orFault } from '../requests.ts';
import { findMissing } from '../route-views.ts';
import { tellUnwoken } from '../tell-unwoken.ts';

/** A message and its story: sent, waited for, explained, answered for. */
export function addMessageRoutes(app: OpenAPIHono, parts: ServerParts): void {
  const { ledger, clock, delivery } = parts;
  const settled = { ledger, surroundings: surroundingsOf(parts) };

  app.openapi(send, async (c) => {
    const outgoing = c.req.valid('json') as Outgoing;
    checkOutgoing(outgoing, parts.bodyLimit);
    const { caller, to, draft } = await ledger.read(async (tx) => {
      const caller = await findCaller(tx, c);
      return { caller, ...(await address(tx, clock.now(), outgoing, caller)) };
    });
    await settleCaller(parts, caller);
    const [accepted] = await accept(ledger, clock, [draft]);
    if (!accepted) throw new Error('one draft has one outcome');
    const sent = readAccepted(accepted, outgoing, to);
    await giveWay(delivery, draft.to);
    const unwoken = sent.state === 'queued' ? tellUnwoken(parts, to) : undefined;
    const view = unwoken === undefined ? sent : { ...sent, unwoken };
    return c.json(view, sent.duplicate ? 200 : 201);
  });

  app.openapi(answer, async (c) => {
    const ids = [...new Set(c.req.valid('json').ids)];
    const caller = await hearCaller(parts, c);
    const owners = await ledger.read((tx) => Promise.all(ids.map((id) => resolveMessage(tx, id))));
    await settleInboxes(
      settled,
      owners.map(({ to }) => ({ id: to })),
    );
    const messages = await ledger.write((tx) => ack(tx, clock.now(), caller, ids));
    return c.json({ messages }, 200);
  });

  app.openapi(explain, async (c) => {
    const { id } = c.req.valid('param');
    const caller = await hearCaller(parts, c);
    const { to } = await ledger.read(async (tx) => {
      const message = await resolveMessage(tx, id);
      requireParty(caller, message);
      return message;
    });
    await settleInboxes(settled, [{ id: to }]);
    const story = await ledger.read(async (tx) => viewStory(tx, await resolveMessage(tx, id)));
    const { state } = story.message;
    if (state === 'injected' || state === 'uncertain') {
      const place = delivery.placeOf(to, story.message.id);
      return c.json(place === undefined ? story : { ...story, waitsFor: place }, 200);
    }
    if (state !== 'queued') return c.json(story, 200);
    const recipient = await ledger.read((tx) => tx.agents.find(to));
    const silence = recipient && explainSilence(parts, recipient);
    const carrier = { waitsFor: delivery.waitsFor(to) ?? silence };
    const waitsFor = recipient && describeWait(recipient, carrier);
    const lacks = recipient && findMissing(parts, recipient);
    return c.json(
      { ...story, ...(waitsFor === undefined ? {} : { waitsFor }), ...(lacks ? { lacks } : {}) },
      200,
    );
  });

  app.openapi(wait, async (c) => {
    const { id } = c.req.valid('param');
    const { state, timeoutMs } = c.req.valid('query');
    const { to } = await ledger.read(async (tx) => {
      const message = await resolveMessage(tx, id);
      requireParty(await findCaller(tx, c), message);
      return message;
    });
    return c.json(await awaitState(parts, { id, to, state, timeoutMs }, c.req.raw.signal), 200);
  });
}

const messageParam = z.object({
  id: z.string().openapi({ param: { name: 'id', in: 'path' } }),
});

const send = createRoute({
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

const answer = createRoute({
  method: 'post',
  path: '/messages/ack',
  summary: 'Answers for messages by id, all of them or none, whatever a route is doing with them.',
  request: { body: { required: true, ...json(ackSchema, 'Their ids.') } },
  responses: { 200: json(ackResultSchema, 'All of them are acked.'), ...orFault },
});

const explain = createRoute({
  method: 'get',
  path: '/messages/{id}',
  summary: 'The whole story of one message, and what it waits for.',
  request: { params: messageParam },
  responses: { 200: json(explanationSchema, 'The story.'), ...orFault },
});

/** Longer, and proxies and clients give up first. */
const longestPollMs = 50_000;

const wait = createRoute({
  method: 'get',
  path: '/messages/{id}/wait',
  summary: 'Waits until it is injected, seen or acked; a fault at once when it never will be.',
  request: {
    params: messageParam,
    query: z.object({
      state: z.enum(awaitable),
      timeoutMs: z.coerce.number().int().min(0).max(longestPollMs).default(longestPollMs),
    }),
  },
  responses: { 200: json(waitedSchema, 'Whether it came so far; if not, ask again.'), ...orFault },
});
