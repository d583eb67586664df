import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { neutralise } from '../../messages/neutralise.ts';
import {
  attachRequestSchema,
  attachSchema,
  outputModeSchema,
  outputPieceSchema,
  outputSchema,
} from '../../protocol/schemas/terminals.ts';
import type { OutputPiece } from '../../protocol/terminals.ts';
import { attach as findTerminal } from '../../requests/attach.ts';
import type { LiveContext } from '../../requests/context.ts';
import { followOutput } from '../../requests/follow-output.ts';
import { readOutput } from '../../requests/read-output.ts';
import { agentParam, describeRoute, events, json, orFault } from '../describe-route.ts';
import { type Readers, streamEvents } from '../event-stream.ts';
import { findCaller } from '../find-caller.ts';
import { OutputSource } from '../output-source.ts';

/**
 * What an agent shows: its screen or answer, its raw bytes as they come, and the way to its
 * terminal.
 */
export function addOutputRoutes(app: OpenAPIHono, context: LiveContext, readers: Readers): void {
  app.openAPIRegistry.register('OutputPiece', outputPieceSchema);
  app.openapi(output, async (c) => {
    const { signal } = c.req.raw;
    const wish = { ...c.req.valid('param'), ...c.req.valid('query'), signal };
    const caller = await findCaller(context, c);
    const { output } = await readOutput(context, caller, wish);
    // What another shows are words of others to an agent (rule 47).
    const text = caller.kind === 'agent' ? neutralise(output.text) : output.text;
    return c.json({ ...output, text }, 200);
  });

  app.openapi(stream, async (c) => {
    const caller = await findCaller(context, c);
    const { id, follow } = await followOutput(context, caller, c.req.valid('param'));
    const source = new OutputSource(follow);
    const ends = [`agent.${id}.exited`, `agent.${id}.removed`];
    source.onEnd = context.live.bus.on('output stream', ends, () => source.end());
    const encode = (piece: OutputPiece) => `data: ${JSON.stringify(piece)}\n\n`;
    const { clock } = context.surroundings;
    return streamEvents(source, encode, { signal: c.req.raw.signal, readers, clock });
  });

  app.openapi(attach, async (c) => {
    const wish = { ...c.req.valid('param'), ...c.req.valid('json') };
    return c.json(await findTerminal(context, await findCaller(context, c), wish), 200);
  });
}

const output = describeRoute({
  operationId: 'getOutput',
  method: 'get',
  path: '/agents/{agent}/output',
  summary:
    'Its screen, its screen and scrollback, or its last answer. An agent gets what `get_output` gives.',
  request: { params: agentParam, query: z.object({ mode: outputModeSchema.default('screen') }) },
  responses: { 200: json(outputSchema, 'What it said.'), ...orFault },
});

const stream = describeRoute({
  operationId: 'followOutput',
  method: 'get',
  path: '/agents/{agent}/stream',
  summary: 'Its raw output from now on, in base64, as server-sent events; ends with the agent.',
  request: { params: agentParam },
  responses: {
    200: {
      description:
        'Each `data` holds bytes, or how many were lost because the reader was slow. A comment comes every 15 s.',
      content: events({ $ref: '#/components/schemas/OutputPiece' }),
    },
    ...orFault,
  },
});

const attach = describeRoute({
  operationId: 'findTerminal',
  method: 'post',
  path: '/agents/{agent}/attach',
  summary: 'The command that brings a person to its terminal.',
  request: {
    params: agentParam,
    body: { required: true, ...json(attachRequestSchema, 'Where the person is.') },
  },
  responses: { 200: json(attachSchema, 'Where it is, and a command that goes there.'), ...orFault },
});
