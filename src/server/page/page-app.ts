import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { userAgentId } from '../../agents/agent.ts';
import { type Caller, createCaller } from '../../agents/caller.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import type { FeedItem, PageSnapshot } from '../../protocol/page.ts';
import { proveSchema, signInSchema } from '../../protocol/schemas/page.ts';
import type { LiveContext } from '../../requests/context.ts';
import { discardDeadLetter } from '../../requests/discard-dead-letter.ts';
import { followPage } from '../../requests/follow-page.ts';
import { listDeadLetters } from '../../requests/list-dead-letters.ts';
import { retryDeadLetter } from '../../requests/retry-dead-letter.ts';
import { showPage } from '../../requests/show-page.ts';
import { Fault } from '../../shared/fault.ts';
import { errorFacts, type Log } from '../../shared/log.ts';
import { bound } from '../../shared/quote.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { Readers, streamEvents } from '../event-stream.ts';
import { bugResponse, faultResponse, toFault } from '../fault-response.ts';
import { boundBodies } from '../guards.ts';
import type { Carried } from '../read-bounded.ts';
import type { Asset } from './assets.ts';
import { forward, type LaunchMeans } from './forward.ts';
import type { PageSession, PageSessions } from './page-sessions.ts';
import { parseWith } from './parse-with.ts';
import { secureAnswer } from './secure-answer.ts';

export interface PageParts {
  /** The daemon's own API, which knows by `place` that the page asks. */
  readonly api: (request: Request, carried: Partial<Carried>) => Response | Promise<Response>;
  readonly context: LiveContext;
  readonly sessions: PageSessions;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly daemon: PageSnapshot['daemon'];
  /** Of the command that asked for the page, while this daemon lives. */
  readonly launchMeans: () => LaunchMeans | undefined;
  readonly log: Log;
}

/** Of a sign-in, and of a letter's fate. */
const smallBody = 16 * 1024;
const bodyBase = 1024 * 1024;
/** Those who follow the page, of all windows. */
const mostReaders = 32;
const mostLetters = 1000;

type Env = { Variables: { session: PageSession } };

/**
 * What the page's port serves: the page, the way in, and of the daemon's API what the page may ask
 * for, as the user. `guardPage` has let the request through before.
 */
export function createPage(parts: PageParts): Hono<Env> {
  const app = new Hono<Env>();
  const { context, sessions } = parts;
  const readers = new Readers(mostReaders);
  app.use(secureAnswer);
  app.use(
    '/page/*',
    boundBodies(() => smallBody),
  );
  app.use(
    '/api/*',
    requireSession(sessions),
    boundBodies(() => bodyBase + 2 * context.bodyLimit),
  );
  app.post('/page/sign-in', async (c) => {
    const { link, nonce } = parseWith(signInSchema, await c.req.text());
    const signedIn = sessions.signIn(link, nonce);
    if (!signedIn) throw spentLink();
    const { session, readOnly } = signedIn;
    parts.log.info({ session, readOnly }, 'a browser has signed in to the dashboard');
    return c.json(signedIn);
  });
  app.post('/page/prove', async (c) => {
    const { session, nonce } = parseWith(proveSchema, await c.req.text());
    const proof = sessions.prove(session, nonce);
    if (proof === undefined) throw unknownSession();
    return c.json({ proof });
  });
  app.get('/api/snapshot', async (c) => {
    const { readOnly } = c.get('session');
    const wish = { daemon: parts.daemon, readOnly };
    return c.json(await showPage(context, await findUser(context), wish));
  });
  app.get('/api/feed', async (c) => {
    const after = readNumber(c.req.query('after'));
    const source = await followPage(context, await findUser(context), { after });
    const release = sessions.hold(c.get('session'));
    const close = (): void => {
      release();
      source.close();
    };
    const surroundings = { signal: c.req.raw.signal, readers, clock: context.surroundings.clock };
    return streamEvents({ next: () => source.next(), close }, encode, surroundings);
  });
  addLetterRoutes(app, context);
  app.all('/api/*', async (c) => forward(parts, c));
  app.get('*', (c) => serve(parts.assets, c));
  app.notFound((c) => faultResponse(unknownPath(c)));
  app.onError((error, c) => {
    const fault = toFault(error);
    if (fault) return faultResponse(fault);
    const { method, path } = c.req;
    reportBug('answering the dashboard', error);
    parts.log.error({ method, path, ...errorFacts(error) }, 'a request of the dashboard failed');
    return bugResponse();
  });
  return app;
}

/** On the socket only commands have them, which go to the ledger themselves. */
function addLetterRoutes(app: Hono<Env>, context: LiveContext): void {
  app.get('/api/dead-letters', async (c) => {
    const max = Math.min(readNumber(c.req.query('max') ?? String(mostLetters)), mostLetters);
    return c.json(await listDeadLetters(context, await findUser(context), { max }));
  });
  app.post('/api/dead-letters/:id/retry', async (c) =>
    c.json(await retryDeadLetter(context, await findUser(context), { id: c.req.param('id') })),
  );
  app.post('/api/dead-letters/:id/discard', async (c) =>
    c.json(await discardDeadLetter(context, await findUser(context), { id: c.req.param('id') })),
  );
}

/** Before a byte of the body is read. */
function requireSession(sessions: PageSessions): MiddlewareHandler<Env> {
  return async (c, next) => {
    const session = sessions.find(c.req.header('authorization'));
    if (!session) throw noSession();
    sessions.use(session);
    if (session.readOnly && c.req.method !== 'GET') throw readOnly();
    c.set('session', session);
    return next();
  };
}

async function findUser({ ledger }: LiveContext): Promise<Caller> {
  const agent = await ledger.read((tx) => resolveAgent(tx, userAgentId));
  return { ...createCaller(agent, true), place: 'dashboard' };
}

function serve(assets: ReadonlyMap<string, Asset>, c: Context): Response {
  const asset = assets.get(c.req.path);
  if (!asset && c.req.path === '/') return missingPage();
  if (!asset) return faultResponse(unknownPath(c));
  const cache = asset.isImmutable ? 'public, max-age=31536000, immutable' : 'no-store';
  return c.body(new Uint8Array(asset.body), 200, {
    'content-type': asset.type,
    'cache-control': cache,
  });
}

function missingPage(): Response {
  const text = 'This build of signalbox has no dashboard: dist/dashboard is missing.\n';
  return new Response(text, { status: 503, headers: { 'content-type': 'text/plain' } });
}

function encode(item: FeedItem): string {
  return `data: ${JSON.stringify(item)}\n\n`;
}

function readNumber(text: string | undefined): number {
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
  throw new Fault('invalid-input', 'That is no whole number.', 'Reload the page.');
}

function unknownPath(c: Context): Fault {
  const { method, path } = c.req;
  return new Fault('route-not-found', `There is no ${method} ${bound(path, 80)}.`, again);
}

const again = 'Run `signalbox dashboard` for a new link.';

function spentLink(): Fault {
  return new Fault('link-spent', 'This link was used before, or is older than a minute.', again);
}

function unknownSession(): Fault {
  return new Fault('session-unknown', 'This daemon does not know that session.', again);
}

function noSession(): Fault {
  return new Fault('unauthorised', 'That is no session of the dashboard.', again);
}

function readOnly(): Fault {
  return new Fault(
    'read-only',
    'This session may look and change nothing.',
    'Run `signalbox dashboard` without --read-only.',
  );
}
