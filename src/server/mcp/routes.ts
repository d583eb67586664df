import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type Agent, isUser } from '../../agents/agent.ts';
import { headers } from '../../protocol/daemon.ts';
import { Fault } from '../../shared/fault.ts';
import { asObject, parseJson } from '../../shared/json.ts';
import type { HandOvers } from '../hand-overs.ts';
import type { ServerParts } from '../parts.ts';
import { findCaller, orFault } from '../requests.ts';
import { canBeWoken } from './can-be-woken.ts';
import { Exchange } from './exchange.ts';
import { createToolServer } from './tool-server.ts';
import { tools } from './tools.ts';

/** MCP for the models of agents: over this socket by the stdio proxy, and over loopback where a profile asks for that. */
export function addMcpRoutes(app: OpenAPIHono, parts: ServerParts, handOvers: HandOvers): void {
  const server = createToolServer(parts, tools);

  app.openapi(mcp, async (c) => {
    const caller = await findAgentCalling(parts, c);
    const message = readMessage(await c.req.text());
    if (message === undefined) return c.json(unreadable, 400);
    if (isTooLong(message)) return c.json(tooLong, 400);
    const isConfirmed = c.req.header(headers.handOver) === 'confirmed';
    const isWoken = await canBeWoken(parts, caller);
    const exchange = new Exchange({ caller, isWoken, isConfirmed }, handOvers);
    // A stream of the web is told only with its next piece that nobody reads it any more.
    c.req.raw.signal.addEventListener('abort', () => void exchange.leave(), { once: true });
    // Typed as what it streams.
    return (await server.answer(exchange, message, c.req.raw.headers)) as never;
  });

  // Nothing is told without being asked for, and there are no sessions to end.
  app.on(['GET', 'DELETE'], '/mcp', (c) => c.body(null, 405, { allow: 'POST' }));
}

/** Nobody acts for the person here, by mistake least of all: a CLI that hands on no environment would. */
async function findAgentCalling(parts: ServerParts, c: Context): Promise<Agent> {
  const caller = await parts.ledger.read((tx) => findCaller(tx, c));
  const hasToken = c.req.header('authorization') !== undefined;
  // Rule 38: without the token nobody can tell which life it is of.
  if (!isUser(caller) && (hasToken || caller.backend === 'none')) return caller;
  throw new Fault(
    'unauthorised',
    'The tools of signalbox are for its agents, and nothing says which one is asking.',
    'Give the MCP server SIGNALBOX_TOKEN, SIGNALBOX_AGENT and SIGNALBOX_SOCKET of the agent’s environment; for a program that signalbox did not launch, SIGNALBOX_AGENT with a name from `signalbox agents add`.',
  );
}

function readMessage(text: string): unknown {
  return parseJson(text) ?? undefined;
}

/** What an answer of the protocol repeats is bounded like the names in an argument. */
function isTooLong(message: unknown): boolean {
  const { jsonrpc, id, method, params } = asObject(message);
  const { protocolVersion } = asObject(params);
  return [jsonrpc, id, method, protocolVersion].some(
    (said) => typeof said === 'string' && said.length > longestName,
  );
}

const longestName = 200;

const tooLong = {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: -32600,
    message: `An id, a method or a version is longer than ${longestName} characters; nothing was done.`,
  },
} as const;

const unreadable = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32700, message: 'Parse error: the body is not JSON.' },
} as const;

const mcp = createRoute({
  method: 'post',
  path: '/mcp',
  summary: 'One JSON-RPC message of the Model Context Protocol, as an agent.',
  security: [{ agentToken: [] }],
  responses: {
    200: {
      description: 'The answer, as server-sent events.',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    400: {
      description: 'Not JSON.',
      content: { 'application/json': { schema: z.object({ jsonrpc: z.string() }).loose() } },
    },
    ...orFault,
  },
});
