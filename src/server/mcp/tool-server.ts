import type { AuthInfo, ListToolsResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { LiveContext } from '../../requests/context.ts';
import type { ServerParts } from '../parts.ts';
import { callTool } from './call-tool.ts';
import { Exchange, follow } from './exchange.ts';
import type { Tool } from './tool.ts';

/**
 * A client may take a call that is silent for 60 s for dead; comments in the stream keep it (Claude
 * Code 2.1.325, Gemini CLI 0.46).
 */
const keepAliveMs = 10_000;

export interface ToolServer {
  /** One JSON-RPC message, already parsed. */
  answer(exchange: Exchange, message: unknown, head: Headers): Promise<Response>;
}

/**
 * The MCP server itself, by the SDK: protocol 2026-07-28, and statelessly those before it. Always
 * as a stream, whose head leaves at once. Loaded with the first request: most of it is for what we
 * do not use.
 */
export function createToolServer(
  parts: ServerParts,
  context: LiveContext,
  tools: readonly Tool[],
): ToolServer {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = (isWoken: boolean) => tools.map((tool) => ({ tool, row: list(tool, isWoken) }));
  const rows = { woken: listed(true), unwoken: listed(false) };
  const listFor = async ({ caller: agent, isWoken }: Exchange): Promise<readonly Listed[]> => {
    const all = isWoken ? rows.woken : rows.unwoken;
    const may = await Promise.all(all.map(({ tool }) => tool.isFor?.(context, { agent }) ?? true));
    return all.filter((_, at) => may[at]).map(({ row }) => row);
  };
  const open = async () => {
    const { createMcpHandler, Server } = await import('@modelcontextprotocol/server');
    return createMcpHandler(
      ({ authInfo }) => {
        const exchange = readExchange(authInfo);
        const server = new Server(
          { name: 'signalbox', version: parts.version },
          { capabilities: { tools: {} }, instructions: instruct(exchange) },
        );
        server.setRequestHandler('tools/list', async () => ({
          tools: [...(await listFor(exchange))],
        }));
        server.setRequestHandler('tools/call', ({ params }) =>
          callTool({ parts, context }, exchange, byName, params),
        );
        return server;
      },
      {
        keepAliveMs,
        responseMode: 'sse',
        onerror: ({ message }) => parts.log.debug({ error: message }, 'an MCP request was refused'),
      },
    );
  };
  let handler: ReturnType<typeof open> | undefined;
  return {
    answer: async (exchange, message, head) => {
      handler ??= open();
      const { fetch } = await handler;
      const request = new Request('http://localhost/mcp', {
        method: 'POST',
        headers: completeHead(head, message),
        signal: exchange.signal,
      });
      const authInfo = { token: '', clientId: exchange.caller.id, scopes: [], extra: { exchange } };
      return follow(await fetch(request, { authInfo, parsedBody: message }), exchange);
    },
  };
}

function list(tool: Tool, isWoken: boolean): Listed {
  const { name, unwoken, input, annotations } = tool;
  const description = isWoken ? tool.description : (unwoken ?? tool.description);
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  // Typed by zod as every schema there can be.
  return { name, description, inputSchema: schema as Listed['inputSchema'], annotations };
}

type Listed = ListToolsResult['tools'][number];

function readExchange(authInfo: AuthInfo | undefined): Exchange {
  const exchange = authInfo?.extra?.['exchange'];
  if (exchange instanceof Exchange) return exchange;
  throw new Error('a request without its exchange');
}

/**
 * What protocol 2026-07-28 repeats in headers for those who stand between: whoever comes over a
 * pipe has none to send.
 */
function completeHead(head: Headers, message: unknown): Headers {
  const { method, params } = (message ?? {}) as Readonly<Record<string, unknown>>;
  const { name, _meta } = (params ?? {}) as Readonly<Record<string, unknown>>;
  const version = (_meta as Readonly<Record<string, unknown>> | undefined)?.[versionMeta];
  const full = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  const said = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name };
  for (const [key, own] of Object.entries(said)) {
    const value = head.get(key) ?? (version === undefined ? undefined : own);
    if (typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value)) full.set(key, value);
  }
  return full;
}

/** In each request since 2026-07-28: which version it speaks. */
export const versionMeta = 'io.modelcontextprotocol/protocolVersion';

function instruct({ caller, isWoken }: Exchange): string {
  return [
    `You are the agent "${caller.name}" of a team that signalbox connects.`,
    isWoken
      ? 'handoff gives a task and waits for the answer; assign gives a task and returns: its answer comes to you as a message later, so end your turn instead of polling.'
      : 'Nothing wakes you when a message comes: take your messages with check_inbox. handoff gives a task and waits for the answer; assign gives a task and returns: its answer waits for your next check_inbox.',
    'A task of yours is answered by the last words of your turn, or before that by send_message with reply_to and its id; any other message is a report and leaves it open. What a worker sent you stands in the result of handoff before its last words; after assign the last message names it.',
    ...(caller.parent === undefined
      ? []
      : ['A later task of your parent is your job like your first one.']),
    // A pull-only agent takes its user's words with check_inbox, and a prompt that cannot go in as
    // one is a notice (rules 51b, 51c). Prompts that go in together each have a line of ours, and
    // nothing closes any of them.
    'Text from <signalbox …> to </signalbox …> is from whom it names: only "from the user" is your user. In a prompt, text below a <signalbox 412 …> line that nothing closes is your user\'s own.',
  ].join(' ');
}
