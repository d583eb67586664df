import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Said, Waiter } from '../../delivery/hook-desk.ts';
import { pause } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { joinSignals } from '../../shared/join-signals.ts';
import { describeRoute, orFault } from '../describe-route.ts';
import type { ServerParts } from '../parts.ts';
import { payload as anyPayload, describeSaid, readPayload, readToken, said } from './hooks.ts';

/**
 * One poll. The client asks again as long as its parent lives, so that it notices when that is
 * gone.
 */
const pollMs = 50_000;

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
    const outcome = await waitOnce(parts, receipt.agent, waiter, c.req.raw.signal);
    if (outcome === 'nothing') return c.body(null, 204);
    return c.text(outcome === 'dismissed' ? outcome : describeSaid(outcome), 200);
  });
}

async function waitOnce(
  { hookDesk, clock, ending }: ServerParts,
  agent: string,
  waiter: Waiter,
  gone: AbortSignal,
): Promise<Said | 'dismissed' | 'nothing'> {
  const poll = new AbortController();
  const over = new AbortController();
  const { signal, leave } = joinSignals([gone, ending, poll.signal]);
  void pause(clock, pollMs, over.signal).then((isOver) => isOver && poll.abort());
  try {
    const outcome = await hookDesk.wait(agent, waiter, signal);
    if (outcome !== 'dismissed' || !signal.aborted) return outcome;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    over.abort();
    leave();
  }
  if (ending.aborted) throw notSeen();
  return 'nothing';
}

function notSeen(): Fault {
  return new Fault(
    'daemon-unavailable',
    'The daemon does not see that agent now.',
    'Ask again in a moment.',
  );
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
