import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Said } from '../../delivery/hook-desk.ts';
import { hookResultSchema } from '../../protocol/schemas/terminals.ts';
import type { HookResult } from '../../protocol/terminals.ts';
import { pause } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { joinSignals } from '../../shared/join-signals.ts';
import { parseJson } from '../../shared/json.ts';
import { errorFacts } from '../../shared/log.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { describeRoute, header, orFault } from '../describe-route.ts';
import type { ServerParts } from '../parts.ts';
import { readBearer } from '../read-bearer.ts';
import { readBounded } from '../read-bounded.ts';

/**
 * Payloads hold prompts and tool results; what is longer is not worth a status (O5). Ends of turns
 * are committed by their hook.
 */
const hookLimit = 1024 * 1024;
/** Names one call of a hook; its own commit names it too, if no answer of ours reaches it. */
const reportHeader = 'x-signalbox-report';
/** A synchronous hook ends within 1 s (rule 23), its own start and its confirmation included. */
const patienceMs = 500;

/**
 * Where agents' hooks report, and are told what to say to their model. Whatever comes, the answer
 * is quick: an agent is never broken by its hook. What cannot be read is skipped and logged. What
 * is to be said is printed only by a client that has confirmed it in time (rule 16).
 */
export function addHookRoutes(app: OpenAPIHono, parts: ServerParts): void {
  app.openapi(confirm, async (c) => {
    readToken(c);
    const { id } = c.req.valid('param');
    const isInTime = parts.fleet.confirmDecision(id) || (await parts.hookDesk.confirm(id));
    return isInTime ? c.text('go', 200) : c.text('late', 410);
  });

  app.openapi(hook, async (c) => {
    const token = readToken(c);
    const { event } = c.req.valid('param');
    const { signal: left } = c.req.raw;
    const result = await answerWithin(parts, event, left, async (gone) => {
      const body = await readPayload(c);
      const report = c.req.header(reportHeader);
      return typeof body === 'string'
        ? { outcome: 'ignored', reason: body }
        : receive(parts, token, { event, body: body.payload, report, gone });
    });
    if ('said' in result) return c.text(describeSaid(result.said), 200);
    if (result.reason !== undefined) parts.log.warn({ event, ...result }, 'a hook was skipped');
    return result.outcome === 'taken' ? c.body(null, 204) : c.json(result, 200);
  });
}

type Answer = HookResult | { readonly said: Said };

interface Call {
  readonly event: string;
  readonly body: unknown;
  readonly report: string | undefined;
  /** The client is gone, or was answered: nothing is claimed for it any more. */
  readonly gone: AbortSignal;
}

async function receive(
  { fleet, hookDesk }: ServerParts,
  token: string,
  { event, body, report, gone }: Call,
): Promise<Answer> {
  const known = report !== undefined && /^[\w-]{1,64}$/.test(report) ? report : undefined;
  const { outcome, agent, offer, caption } = await fleet.receiveHook(token, event, body, known);
  // The end of a turn may wait for records that are late: what it told is on disk, and that counts.
  if (agent === undefined || gone.aborted) return { outcome };
  const said = offer
    ? await hookDesk.ask(agent, offer, gone)
    : caption && (await hookDesk.caption(agent, caption.text, caption.show));
  return said ? { said } : { outcome };
}

/**
 * What is said too late is never confirmed, and so was never said. The work goes on behind a late
 * answer: what a hook told counts, and nothing more is claimed for it.
 */
async function answerWithin(
  { clock, log }: ServerParts,
  event: string,
  left: AbortSignal,
  work: (gone: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const timer = new AbortController();
  const answered = new AbortController();
  const { signal: gone, leave } = joinSignals([left, answered.signal]);
  const taken = work(gone).catch((error: unknown): Answer => {
    reportBug('taking a hook', error);
    log.error({ event, ...errorFacts(error) }, 'a hook failed');
    return { outcome: 'ignored', reason: 'failed' };
  });
  const late = pause(clock, patienceMs, timer.signal).then(
    (): Answer => ({ outcome: 'late', reason: 'slow' }),
  );
  const result = await Promise.race([taken, late]);
  timer.abort();
  answered.abort();
  leave();
  return result;
}

export function readToken(c: Context): string {
  const token = readBearer(c.req.header('authorization'));
  if (token !== undefined) return token;
  throw new Fault(
    'unauthorised',
    'A hook must show the token of its agent.',
    'Send `Authorization: Bearer …` with the SIGNALBOX_TOKEN of its environment.',
  );
}

/** An empty body is an event without a payload. */
export async function readPayload(
  c: Context,
): Promise<{ readonly payload: unknown } | 'too-large' | 'not-json'> {
  const bytes = await readBounded(c, hookLimit);
  if (bytes === 'too-large') return bytes;
  if (bytes.length === 0) return { payload: {} };
  const payload = parseJson(bytes.toString('utf8'));
  return payload === undefined ? 'not-json' : { payload };
}

/**
 * One line for the client, and then, byte for byte, what it prints: a shell must be able to take it
 * apart.
 */
export function describeSaid({ id, reply }: Said): string {
  const stream = reply.stdout === undefined ? 'stderr' : 'stdout';
  return `${id} ${stream} ${reply.exitCode}\n${reply.stdout ?? reply.stderr ?? ''}`;
}

/**
 * Described and not checked: a hook is never broken by its payload, so the route reads it itself.
 */
export const payload = {
  required: false,
  description: 'What the CLI gave its hook, of any shape; without one, an event without a payload.',
  content: { 'application/json': { schema: {} } },
};

export const said = {
  'text/plain': {
    schema: z.string().openapi({
      description:
        'First line: an id to confirm with, `stdout` or `stderr`, and the exit code. The rest is to be printed as it is.',
    }),
  },
};

const hook = describeRoute(
  {
    operationId: 'reportHook',
    method: 'post',
    path: '/hooks/{event}',
    summary: "One event of an agent's own hooks. Any JSON up to 1 MiB; what is longer is skipped.",
    request: {
      params: z.object({
        event: z
          .string()
          .min(1)
          .max(100)
          .openapi({ param: { name: 'event', in: 'path' }, description: 'As the CLI calls it.' }),
      }),
      body: payload,
    },
    responses: {
      200: {
        description: 'What is to be said to the model, as text; or why the event was not taken.',
        content: { ...said, 'application/json': { schema: hookResultSchema } },
      },
      204: { description: 'Taken; there is nothing to say.' },
      ...orFault,
    },
  },
  [
    header(
      reportHeader,
      'The name of this call of the hook: at most 64 letters, digits, `_` and `-`.',
    ),
  ],
);

const confirm = describeRoute({
  operationId: 'confirmHook',
  method: 'post',
  path: '/hooks/confirm/{id}',
  summary: 'Asks, immediately before printing, whether what was said still holds.',
  request: {
    params: z.object({
      id: z
        .string()
        .min(1)
        .max(100)
        .openapi({ param: { name: 'id', in: 'path' } }),
    }),
  },
  responses: {
    200: {
      description: '`go`: print it.',
      content: { 'text/plain': { schema: z.literal('go') } },
    },
    410: {
      description: 'Too late: print nothing.',
      content: { 'text/plain': { schema: z.literal('late') } },
    },
    ...orFault,
  },
});
