import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Agent } from '../../agents/agent.ts';
import { type LineTest, listUntaken, loseLines } from '../../delivery/untaken.ts';
import { leadOf, writeEnd } from '../../messages/envelope.ts';
import { headers } from '../../protocol/daemon.ts';
import type { LiveContext } from '../../requests/context.ts';
import { createSecret } from '../../shared/ids.ts';
import { asObject, parseJson } from '../../shared/json.ts';
import { errorFacts } from '../../shared/log.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { findCaller, notAnAgent } from '../find-caller.ts';
import type { HandOvers } from '../hand-overs.ts';
import type { ServerParts } from '../parts.ts';
import type { Carried } from '../read-bounded.ts';
import { Calls } from './calls.ts';
import { canBeWoken } from './can-be-woken.ts';
import { mcp, sessionHeader } from './describe-mcp.ts';
import { Exchange, type Way } from './exchange.ts';
import { longestName, refuseRequest } from './refuse-request.ts';
import { createToolServer, versionMeta } from './tool-server.ts';
import { markOf } from './tool-text.ts';
import { tools } from './tools.ts';

/**
 * MCP for the models of agents: over this socket by the stdio proxy, and over loopback where a
 * profile asks for that.
 */
export function addMcpRoutes(
  app: OpenAPIHono,
  parts: ServerParts,
  context: LiveContext,
  handOvers: HandOvers,
): void {
  const server = createToolServer(parts, context, tools);
  const calls = new Calls(
    parts.clock,
    (agent, isMeant) => isOnRecord(parts, agent, isMeant),
    (agent) => isLiving(parts, agent),
  );
  const untake = async ({ id }: Agent, isLost: LineTest, cause: string): Promise<void> => {
    try {
      const lost = await loseLines(parts.ledger, context.surroundings, id, isLost, cause);
      if (lost > 0) parts.delivery.look(id);
    } catch (error) {
      // It stays as handed out by a line on which no further call comes: the next one by another
      // offers it again.
      reportBug('losing what a call handed out', error);
      parts.log.warn({ agent: id, ...errorFacts(error) }, 'what was handed out stays open');
    }
  };

  app.openapi(mcp, async (c) => {
    const caller = await findAgentCalling(parts, c);
    const message = readMessage(await c.req.text());
    if (message === undefined) return c.json(unreadable, 400);
    const refusal = refuseRequest(message);
    if (refusal) return c.json(refusal, 400);
    const isConfirmed = c.req.header(headers.handOver) === 'confirmed';
    const isWoken = await canBeWoken(parts, caller);
    const { requests, cancelled, client, isOpening } = outline(message);
    const way = isConfirmed ? findProxy(c) : findWay(c, client);
    const { cameAtMs = parts.clock.monotonicMs() } = (c.env ?? {}) as Partial<Carried>;
    const asker = { caller, isWoken, isConfirmed, way, requests, cameAtMs };
    const exchange = new Exchange(asker, { calls, handOvers, untake });
    for (const id of cancelled) await calls.cancel(exchange, id);
    calls.open(exchange);
    // The call itself hears of it, too. It may have left while its request was judged; then nothing
    // tells it again.
    const { signal } = c.req.raw;
    if (signal.aborted) await exchange.leave();
    else signal.addEventListener('abort', () => void exchange.leave(), { once: true });
    const response = await server.answer(exchange, message, c.req.raw.headers);
    // Only a name by which its further calls are known; nothing is kept under it.
    if (isOpening && !isConfirmed) response.headers.set(sessionHeader, createSecret('session'));
    // Typed as what it streams.
    return response as never;
  });
}

/** What cannot be asked now is kept. */
async function isLiving({ ledger }: ServerParts, agent: string): Promise<boolean> {
  try {
    return await ledger.read((tx) => tx.agents.isLiving(agent));
  } catch (error) {
    reportBug('asking whether an agent was removed', error);
    return true;
  }
}

async function isOnRecord(parts: ServerParts, agent: string, isMeant: LineTest): Promise<boolean> {
  try {
    const open = await listUntaken(parts.ledger, agent, isMeant);
    if (open.length === 0) return false;
    // Only an answer of ours holds this line: a body cannot, nor what another tool prints (rules 7,
    // 47).
    const ends = open.map(({ message, line }) => writeEnd(leadOf(markOf(line)), message));
    return (await parts.fleet.findInResults(agent, ends)).length === ends.length;
  } catch (error) {
    reportBug('looking for what a cancelled call handed out', error);
    return false;
  }
}

/**
 * Nobody acts for the person here, by mistake least of all: a CLI that hands on no environment
 * would.
 */
async function findAgentCalling(parts: ServerParts, c: Context): Promise<Agent> {
  const { kind, agent } = await findCaller(parts, c);
  const hasToken = c.req.header('authorization') !== undefined;
  // Rule 38: without the token nobody can tell which life it is of.
  if (kind === 'agent' && (hasToken || agent.backend === 'none')) return agent;
  throw notAnAgent();
}

/** How this client will be known when it calls again (rule 17). */
function findWay(c: Context, client: string | undefined): Way {
  const session = readName(c.req.header(sessionHeader)) ?? client;
  const { connection } = (c.env ?? {}) as Partial<Carried>;
  return {
    ...(session === undefined ? {} : { session }),
    ...(connection === undefined ? {} : { connection }),
  };
}

function findProxy(c: Context): Way {
  return { proxy: readName(c.req.header(headers.client)) ?? 'proxy' };
}

function readName(given: string | undefined): string | undefined {
  return given !== undefined && /^[\x21-\x2e\x30-\x7e]{1,200}$/.test(given) ? given : undefined;
}

const clientMeta = 'io.modelcontextprotocol/clientInfo';

interface Outline {
  /** The ids of its requests, and of those it cancels, as JSON. */
  readonly requests: readonly string[];
  readonly cancelled: readonly string[];
  /** As it calls itself, where its protocol has no sessions. */
  readonly client: string | undefined;
  readonly isOpening: boolean;
}

/**
 * What it asks, before anything in it is checked; a batch of protocol 2025-03-26 asks several
 * things.
 */
function outline(message: unknown): Outline {
  const requests: string[] = [];
  const cancelled: string[] = [];
  let client: string | undefined;
  let isOpening = false;
  for (const one of Array.isArray(message) ? message : [message]) {
    const { id, method, params } = asObject(one);
    if (isId(id)) requests.push(JSON.stringify(id));
    isOpening ||= isId(id) && method === 'initialize';
    const { requestId, _meta } = asObject(params);
    const meta = asObject(_meta);
    if (meta[versionMeta] !== undefined) {
      client ??= `client ${JSON.stringify(meta[clientMeta])}`.slice(0, 200);
    }
    const isCancel = !isId(id) && method === 'notifications/cancelled';
    // No request has a longer one, and it may be remembered.
    const isShort = typeof requestId !== 'string' || requestId.length <= longestName;
    if (isCancel && isId(requestId) && isShort) cancelled.push(JSON.stringify(requestId));
  }
  return { requests, cancelled, client, isOpening };
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function readMessage(text: string): unknown {
  return parseJson(text) ?? undefined;
}

const unreadable = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32700, message: 'Parse error: the body is not JSON.' },
} as const;
