import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { hookResultSchema } from '../../protocol/schemas/terminals.ts';
import type { HookResult } from '../../protocol/terminals.ts';
import { Fault } from '../../shared/fault.ts';
import { errorFacts } from '../../shared/log.ts';
import type { ServerParts } from '../parts.ts';
import { readBounded } from '../read-bounded.ts';
import { json, orFault } from '../requests.ts';

/** Payloads hold prompts and tool results; what is longer is not worth a status (O5). */
const hookLimit = 1024 * 1024;
/** A synchronous hook ends within 1 s (rule 23), its own start included. */
const patienceMs = 500;

/**
 * Where agents' hooks report. Whatever comes, the answer is quick and says only whether it was taken: an agent is never broken
 * by its hook. What cannot be read is skipped and logged.
 */
export function addHookRoutes(app: OpenAPIHono, parts: ServerParts): void {
  app.openapi(hook, async (c) => {
    const [, token] = /^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '') ?? [];
    if (token === undefined) {
      throw new Fault(
        'unauthorised',
        'A hook must show the token of its agent.',
        'Send `Authorization: Bearer …` with the SIGNALBOX_TOKEN of its environment.',
      );
    }
    const { event } = c.req.valid('param');
    const length = c.req.header('content-length');
    const bytes = await readBounded(c.req.raw.body, hookLimit, length);
    const result = await receive(parts, token, event, bytes);
    if (result.reason !== undefined) parts.log.warn({ event, ...result }, 'a hook was skipped');
    return c.json(result, 200);
  });
}

async function receive(
  { fleet, clock, log }: ServerParts,
  token: string,
  event: string,
  bytes: Buffer | 'too-large',
): Promise<HookResult> {
  if (bytes === 'too-large') return { outcome: 'ignored', reason: 'too-large' };
  const body = parseJson(bytes);
  if (body === undefined) return { outcome: 'ignored', reason: 'not-json' };
  const timer = new AbortController();
  const taken = fleet
    .receiveHook(token, event, body)
    .then((outcome): HookResult => ({ outcome }))
    .catch((error: unknown): HookResult => {
      log.error({ event, ...errorFacts(error) }, 'a hook failed');
      return { outcome: 'ignored', reason: 'failed' };
    });
  const late = clock
    .sleep(patienceMs, timer.signal)
    .then((): HookResult => ({ outcome: 'late', reason: 'slow' }))
    .catch((): HookResult => ({ outcome: 'late' }));
  const result = await Promise.race([taken, late]);
  timer.abort();
  return result;
}

/** An empty body is an event without a payload. */
function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

const hook = createRoute({
  method: 'post',
  path: '/hooks/{event}',
  summary: "One event of an agent's own hooks. Any JSON up to 1 MiB; what is longer is skipped.",
  security: [{ agentToken: [] }],
  request: {
    params: z.object({
      event: z
        .string()
        .max(100)
        .openapi({ param: { name: 'event', in: 'path' } }),
    }),
  },
  responses: { 200: json(hookResultSchema, 'Whether it was taken.'), ...orFault },
});
