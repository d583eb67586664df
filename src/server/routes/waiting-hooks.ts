import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Said } from '../../delivery/hook-desk.ts';
import { describeRoute, orFault } from '../describe-route.ts';
import type { ServerParts } from '../parts.ts';
import { notSeen, pollOnce } from '../poll.ts';
import { payload as anyPayload, describeSaid, readPayload, readToken, said } from './hooks.ts';

/**
 * Where a hook waits until there is something to say: one request per poll. `dismissed` ends the
 * client for good, so it is said only when that is certain: the life is over, the call is no place
 * to wait, or a newer hook waits in its stead. A daemon that ends, or does not see the agent yet,
 * is no reason: the client comes again (rule 23).
 */
export function addWaitingHookRoutes(app: OpenAPIHono, parts: ServerParts): void {
  app.openapi(wait, async (c) => {
    const token = readToken(c);
    const { pid, hook } = c.req.valid('query');
    const body = await readPayload(c);
    // A prompt of megabytes is no reason not to wait.
    const payload = typeof body === 'string' ? {} : body.payload;
    const receipt = await parts.fleet.receiveHook(token, 'wait', payload);
    if (receipt.isOver) return c.text('dismissed', 200);
    if (receipt.agent === undefined) throw notSeen();
    if (receipt.offer?.route !== 'native') return c.text('dismissed', 200);
    const { offer } = receipt;
    const waiter = {
      pid: Number(pid),
      offer,
      ...(hook === undefined ? {} : { hook: Number(hook) }),
      ...(offer.isSpare ? { isSpare: true as const } : {}),
    };
    const { agent } = receipt;
    const outcome = await pollOnce<Said>(parts, c.req.raw.signal, (signal) =>
      parts.hookDesk.wait(agent, waiter, signal),
    );
    return answer(c, outcome);
  });

  app.openapi(decide, async (c) => {
    const token = readToken(c);
    const { pid, hook: own } = c.req.valid('query');
    const body = await readPayload(c);
    // What cannot be shown whole is decided at the terminal.
    if (typeof body === 'string') return c.text('dismissed', 200);
    const poll = { cli: Number(pid), hook: Number(own), body: body.payload };
    const outcome = await pollOnce<Said | 'unseen'>(parts, c.req.raw.signal, (signal) =>
      parts.fleet.holdQuestion(token, poll, signal),
    );
    if (outcome === 'unseen') throw notSeen();
    return answer(c, outcome);
  });
}

function answer(c: Context, outcome: Said | 'dismissed' | 'nothing') {
  if (outcome === 'nothing') return c.body(null, 204);
  return c.text(outcome === 'dismissed' ? outcome : describeSaid(outcome), 200);
}

const processId = z.string().regex(/^[1-9]\d{0,9}$/);

const wait = describeRoute({
  operationId: 'waitInHook',
  method: 'post',
  path: '/hooks/wait',
  summary: 'A hook that waits, at most some 50 s per request, until there is something to say.',
  request: {
    query: z.object({
      pid: processId.openapi({ description: "The CLI's process, whose child the hook is." }),
      hook: processId.optional().openapi({ description: "The hook's own process." }),
    }),
    body: anyPayload,
  },
  responses: {
    200: { description: 'What is to be said; or `dismissed`: do not come again.', content: said },
    204: { description: 'Nothing yet; ask again.' },
    ...orFault,
  },
});

const decide = describeRoute({
  operationId: 'decideInHook',
  method: 'post',
  path: '/hooks/decide',
  summary:
    'A hook that holds a question of its CLI, at most some 50 s per request, until it is answered.',
  request: {
    query: z.object({
      pid: processId.openapi({ description: "The CLI's process, below which the hook runs." }),
      hook: processId.openapi({ description: "The hook's own process." }),
    }),
    body: anyPayload,
  },
  responses: {
    200: {
      description: 'The decision, to be printed; or `dismissed`: end without a word.',
      content: said,
    },
    204: { description: 'Nothing yet; ask again.' },
    ...orFault,
  },
});
