import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { isUser } from '../../agents/agent.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import {
  attachRequestSchema,
  attachSchema,
  outputModeSchema,
  outputPieceSchema,
  outputSchema,
} from '../../protocol/schemas/terminals.ts';
import type { OutputPiece } from '../../protocol/terminals.ts';
import { type Readers, streamEvents } from '../event-stream.ts';
import { limitOutput, requireModeFor, requireNear } from '../near-output.ts';
import { OutputSource } from '../output-source.ts';
import type { ServerParts } from '../parts.ts';
import { agentParam, findAgent, findCaller, json, orFault } from '../requests.ts';

/**
 * What an agent shows: its screen or answer, its raw bytes as they come, and the way to its
 * terminal.
 */
export function addOutputRoutes(app: OpenAPIHono, parts: ServerParts, readers: Readers): void {
  const { fleet, ledger } = parts;
  app.openapi(output, async (c) => {
    const { mode } = c.req.valid('query');
    const { caller, agent } = await ledger.read(async (tx) => {
      const caller = await findCaller(tx, c);
      const agent = await resolveAgent(tx, c.req.valid('param').agent, caller);
      await requireNear(tx, caller, agent);
      return { caller, agent: { id: agent.id, name: agent.name } };
    });
    requireModeFor(caller, mode);
    const read = await fleet.output(agent.id, mode, c.req.raw.signal);
    return c.json({ agent, mode, ...(isUser(caller) ? read : limitOutput(read)) }, 200);
  });

  app.openapi(stream, async (c) => {
    const { id } = await findAgent(parts, c, c.req.valid('param').agent);
    const source = new OutputSource(await fleet.follow(id));
    const ends = [`agent.${id}.exited`, `agent.${id}.removed`];
    source.onEnd = parts.bus.on('output stream', ends, () => source.end());
    const encode = (piece: OutputPiece) => `data: ${JSON.stringify(piece)}\n\n`;
    return streamEvents(source, encode, c.req.raw.signal, readers);
  });

  app.openapi(attach, async (c) => {
    const { id, name } = await findAgent(parts, c, c.req.valid('param').agent);
    const { argv, kind, ids } = await fleet.attachCommand(id, c.req.valid('json').env);
    return c.json({ agent: { id, name }, argv, kind, ids }, 200);
  });
}

const output = createRoute({
  method: 'get',
  path: '/agents/{agent}/output',
  summary:
    'Its screen, its screen and scrollback, or its last answer. An agent gets what `get_output` gives.',
  request: { params: agentParam, query: z.object({ mode: outputModeSchema.default('screen') }) },
  responses: { 200: json(outputSchema, 'What it said.'), ...orFault },
});

const stream = createRoute({
  method: 'get',
  path: '/agents/{agent}/stream',
  summary: 'Its raw output from now on, in base64, as server-sent events; ends with the agent.',
  request: { params: agentParam },
  responses: {
    200: {
      description: 'Each `data` holds bytes, or how many were lost because the reader was slow.',
      content: { 'text/event-stream': { schema: outputPieceSchema } },
    },
    ...orFault,
  },
});

const attach = createRoute({
  method: 'post',
  path: '/agents/{agent}/attach',
  summary: 'The command that brings a person to its terminal.',
  request: {
    params: agentParam,
    body: { required: true, ...json(attachRequestSchema, 'Where the person is.') },
  },
  responses: { 200: json(attachSchema, 'Where it is, and a command that goes there.'), ...orFault },
});
