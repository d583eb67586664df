import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { requireUser } from '../fleet/permissions.ts';
import { headers } from '../protocol/daemon.ts';
import { findCaller, findShown, notAnAgent, noteUser, unknownToken } from './find-caller.ts';
import type { ServerParts } from './parts.ts';

/**
 * Who may call a route. `user`: nobody shows a token and no agent is named, on the socket that only
 * the user can open. `agent`: the token of a life that runs, or an agent's name. `former`: the
 * token of a life that is over; it is told so and nothing else.
 */
type Kind = 'user' | 'agent' | 'former';

const all: readonly Kind[] = ['user', 'agent'];
const hooks: readonly Kind[] = ['agent', 'former'];

/**
 * Every route there is. One that is not listed cannot be called, and `createApp` throws. What each
 * then lets an agent do to whom, it asks itself.
 */
export const access: Readonly<Record<string, readonly Kind[]>> = {
  'GET /openapi.json': all,
  'GET /health': all,
  'POST /shutdown': ['user'],
  'POST /dashboard': ['user'],
  'GET /agents': all,
  'POST /agents': all,
  'GET /agents/:agent': all,
  'DELETE /agents/:agent': all,
  'GET /agents/:agent/start': all,
  'POST /agents/:agent/stop': all,
  // It stands for the Esc of a person at that terminal.
  'POST /agents/:agent/interrupt': ['user'],
  'POST /agents/:agent/restart': all,
  'GET /agents/:agent/output': all,
  // Raw bytes cannot be neutralised, and a terminal is typed into by people: no tool gives an agent
  // either.
  'GET /agents/:agent/stream': ['user'],
  'POST /agents/:agent/attach': ['user'],
  'GET /agents/:agent/questions': all,
  'POST /agents/:agent/questions/:question': all,
  'GET /agents/:agent/inbox': all,
  'POST /agents/:agent/inbox/check': all,
  'POST /agents/:agent/look': all,
  'POST /messages': all,
  'POST /messages/ack': all,
  'GET /messages/:id': all,
  'GET /messages/:id/wait': all,
  'POST /messages/:id/cancel': all,
  'POST /tasks': all,
  'GET /tasks/:id/answer': all,
  'POST /hand-overs/:id': all,
  'GET /events': all,
  'GET /events/recent': all,
  'POST /mcp': ['agent'],
  'POST /hooks/wait': hooks,
  'POST /hooks/decide': hooks,
  'POST /hooks/confirm/:id': hooks,
  'POST /hooks/:event': hooks,
};

/** What the port of loopback serves, where no request without a token is heard. */
export const onPort: ReadonlySet<string> = new Set(['POST /mcp']);

/**
 * Before anything else is done with a request, its body included: a wrong token is refused whatever
 * was asked.
 */
export function admit(parts: ServerParts): MiddlewareHandler {
  return async (c, next) => {
    noteUser(c, parts.userToken);
    const caller = await judge(parts, c);
    const route = routeOf(c);
    const allowed = route === undefined ? all : (access[route] ?? []);
    if (!allowed.includes(caller)) await refuse(parts, c, caller);
    return next();
  };
}

async function judge({ ledger }: ServerParts, c: Context): Promise<Kind> {
  if (c.req.header('authorization') !== undefined) {
    const life = await ledger.read((tx) => findShown(tx, c));
    if (!life) throw unknownToken();
    return life.endedAt === undefined ? 'agent' : 'former';
  }
  // Without a word from the ledger: health and the end of the daemon must not depend on it.
  if (c.req.header(headers.agent) === undefined) return 'user';
  return (await findCaller({ ledger }, c)).kind === 'agent' ? 'agent' : 'user';
}

/** The handler that would answer: the first that is no middleware. */
export function routeOf(c: Context): string | undefined {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route && `${route.method} ${route.path}`;
}

async function refuse(parts: ServerParts, c: Context, caller: Kind): Promise<never> {
  if (caller === 'former') throw unknownToken();
  if (caller === 'agent') {
    requireUser((await findCaller(parts, c)).agent, 'do that');
  }
  throw notAnAgent();
}

/** For `createApp`: a route that nobody has thought about is a mistake of ours. */
export function requireListed(routes: readonly { method: string; path: string }[]): void {
  const missing = routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !Object.hasOwn(access, route));
  if (missing.length > 0) throw new Error(`not in the table of access: ${missing.join(', ')}`);
}
