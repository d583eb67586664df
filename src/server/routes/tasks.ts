import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { nameSchema, queryNumber } from '../../protocol/schemas/bounds.ts';
import { answerSchema, taskRequestSchema, taskSchema } from '../../protocol/schemas/tasks.ts';
import type { AnswerView, TaskRequest } from '../../protocol/tasks.ts';
import { viewMessage } from '../../protocol/views.ts';
import type { LiveContext } from '../../requests/context.ts';
import { giveTask } from '../../requests/give-task.ts';
import { takeAnswer } from '../../requests/take-answer.ts';
import { describeRoute, json, orFault } from '../describe-route.ts';
import { findCaller } from '../find-caller.ts';
import type { HandOvers } from '../hand-overs.ts';

/** Work between agents: a task given, and its answer waited for. */
export function addTaskRoutes(app: OpenAPIHono, context: LiveContext, handOvers: HandOvers): void {
  app.openapi(give, async (c) => {
    const request = c.req.valid('json') as TaskRequest;
    const { view } = await giveTask(context, await findCaller(context, c), request);
    return c.json(view, view.duplicate ? 200 : 201);
  });

  app.openapi(wait, async (c) => {
    const { id: task } = c.req.valid('param');
    const { signal: gone } = c.req.raw;
    const wish = { task, ...c.req.valid('query'), gone };
    const answer = await takeAnswer(context, await findCaller(context, c), wish);
    const { agent, outcome, ended, message } = answer;
    if (gone.aborted) await answer.lose('whoever asked for it had gone');
    const view: AnswerView = {
      ...{ task, agent, outcome },
      ...(ended === undefined ? {} : { ended }),
      ...(message ? { message: await context.ledger.read((tx) => viewMessage(tx, message)) } : {}),
      ...(message && outcome !== 'elsewhere' ? { handOver: handOvers.keep(answer) } : {}),
    };
    return c.json(view, 200);
  });

  app.openapi(confirm, async (c) => {
    const isKnown = await handOvers.confirm(c.req.valid('param').id);
    return c.json({ confirmed: isKnown }, 200);
  });
}

/** A day; whoever waits longer asks again. */
const longestWaitMs = 86_400_000;

const idParam = z.object({ id: nameSchema.openapi({ param: { name: 'id', in: 'path' } }) });

const give = describeRoute({
  operationId: 'giveTask',
  method: 'post',
  path: '/tasks',
  summary:
    'Gives a task to an agent, launching one for a profile or provider. It is owed an answer.',
  request: { body: { required: true, ...json(taskRequestSchema, 'The task, and for whom.') } },
  responses: {
    200: json(taskSchema, 'The key was known: this is what became of the first.'),
    201: json(taskSchema, 'Given; it is on disk.'),
    ...orFault,
  },
});

const wait = describeRoute({
  operationId: 'takeAnswer',
  method: 'get',
  path: '/tasks/{id}/answer',
  summary: 'Waits for the message that answers a task, or for what ended it, and hands it over.',
  request: {
    params: idParam,
    query: z.object({
      timeoutMs: queryNumber(0, longestWaitMs),
    }),
  },
  responses: { 200: json(answerSchema, 'The answer, or why there is none.'), ...orFault },
});

const confirm = describeRoute({
  operationId: 'confirmHandOver',
  method: 'post',
  path: '/hand-overs/{id}',
  summary: 'What was handed over has been printed; within 15 s, or it is offered again, marked.',
  request: { params: idParam },
  responses: {
    200: json(z.object({ confirmed: z.boolean() }), 'Whether it came in time.'),
    ...orFault,
  },
});
