import { z } from '@hono/zod-openapi';
import { headers } from '../../protocol/daemon.ts';
import { faultSchema } from '../../protocol/schemas/fault.ts';
import { describeRoute, events, header, orFault } from '../describe-route.ts';
import { longestName } from './refuse-request.ts';

export const sessionHeader = 'mcp-session-id';

const rpcError = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number(), z.null()]),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  })
  .openapi('JsonRpcError');

const jsonrpc = { type: 'string' as const, enum: ['2.0'] };

/** Each `data` of the stream. */
const rpcMessage = {
  ...{ type: 'object', required: ['jsonrpc'], properties: { jsonrpc } },
  additionalProperties: true,
};

/** Described and not checked here: what is wrong is said in the words of JSON-RPC. */
const jsonRpcMessage = {
  type: 'object' as const,
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc,
    id: { type: ['string', 'integer'] as ('string' | 'integer')[] },
    method: { type: 'string' as const, maxLength: longestName },
    params: { type: 'object' as const },
  },
};
const jsonRpc = {
  anyOf: [jsonRpcMessage, { type: 'array' as const, items: jsonRpcMessage, minItems: 1 }],
};

export const mcp = describeRoute(
  {
    operationId: 'callTools',
    method: 'post',
    path: '/mcp',
    summary: 'One JSON-RPC message of the Model Context Protocol, as an agent.',
    request: {
      body: {
        required: true,
        description: 'A request, a notification, or a batch of them (protocol 2025-03-26).',
        content: { 'application/json': { schema: jsonRpc } },
      },
    },
    responses: {
      200: {
        description: 'The answer, as server-sent events; each `data` is a message of JSON-RPC.',
        content: events(rpcMessage),
        headers: {
          [sessionHeader]: { description: 'Of `initialize`.', schema: { type: 'string' } },
        },
      },
      202: { description: 'Taken; nothing is said to a notification.' },
      400: {
        description: 'No message of the protocol, in the words of JSON-RPC; or a failure of ours.',
        content: { 'application/json': { schema: z.union([rpcError, faultSchema]) } },
      },
      ...orFault,
    },
  },
  [
    header(sessionHeader, 'The session that the answer to `initialize` named.'),
    header('mcp-protocol-version', 'The version of MCP that the client speaks.'),
    header('mcp-method', 'The method, repeated (protocol 2026-07-28).'),
    header('mcp-name', 'The name of the tool, repeated (protocol 2026-07-28).'),
    header(
      headers.handOver,
      '`confirmed`: the client tells when it has printed what it was handed.',
    ),
    header(headers.client, 'With it: the name that the client has given itself.'),
  ],
);
