import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { checkOutgoing } from '../../fleet/outgoing.ts';
import { requireSelf } from '../../fleet/permissions.ts';
import { resolveMessage } from '../../fleet/resolve-message.ts';
import { answerSchema, taskRequestSchema, taskSchema } from '../../protocol/schemas/tasks.ts';
import type { AnswerView, TaskRequest } from '../../protocol/tasks.ts';
import { viewMessage } from '../../protocol/views.ts';
import { joinSignals } from '../../shared/join-signals.ts';
import { assign } from '../../team/assign.ts';
import { awaitAnswer } from '../../team/await-answer.ts';
import { hearCaller, settleCaller } from '../caller.ts';
import type { HandOvers } from '../hand-overs.ts';
import type { ServerParts } from '../parts.ts';
import { readUmask } from '../read-umask.ts';
import { findCaller, json, orFault } from '../requests.ts';
import { tellUnwoken } from '../tell-unwoken.ts';

/** Work between agents: a task given, and its answer waited for. */
export function addTaskRoutes(app: OpenAPIHono, parts: ServerParts, handOvers: HandOvers): void {
  const { ledger, team, ending } = parts;

  app.openapi(give, async (c) => {
    const { task: body, env, umask, ...request } = c.req.valid('json') as TaskRequest;
    const caller = await hearCaller(parts, c);
    checkOutgoing({ ...request, body }, parts.bodyLimit);
    const callers = { callerEnv: env, callerUmask: readUmask(umask) };
    const given = await assign(team, { ...request, ...callers, caller, body });
    const { task, agent, isLaunched: launched, isDuplicate: duplicate, also } = given;
    const state = (await ledger.read((tx) => tx.messages.find(task)))?.state;
    const unwoken = state === 'queued' ? tellUnwoken(parts, agent) : undefined;
    const notes = launched ? (parts.fleet.live(agent.id)?.notes ?? []) : [];
    const view = {
      ...{ task, agent: { id: agent.id, name: agent.name }, launched, duplicate },
      ...(also === undefined ? {} : { also }),
      ...(unwoken === undefined ? {} : { unwoken }),
      ...(notes.length === 0 ? {} : { notes }),
    };
    return c.json(view, duplicate ? 200 : 201);
  });

  app.openapi(wait, async (c) => {
    const { id: task } = c.req.valid('param');
    const { timeoutMs } = c.req.valid('query');
    const { caller, agent } = await ledger.read(async (tx) => {
      const message = await resolveMessage(tx, task);
      const caller = await findCaller(tx, c);
      requireSelf(caller, message.from, 'take the answer to a task');
      const names = await tx.agents.listNames([message.to]);
      return { caller, agent: { id: message.to, name: names.get(message.to) ?? message.to } };
    });
    await settleCaller(parts, caller);
    const { signal, leave } = joinSignals([c.req.raw.signal, ending]);
    const wanted = { task, limitMs: timeoutMs, signal };
    const answer = await awaitAnswer(team, wanted).finally(leave);
    const { outcome, message } = answer;
    if (c.req.raw.signal.aborted) await answer.lose('whoever asked for it had gone');
    const view: AnswerView = {
      ...{ task, agent, outcome },
      ...(message ? { message: await ledger.read((tx) => viewMessage(tx, message)) } : {}),
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

const idParam = z.object({ id: z.string().openapi({ param: { name: 'id', in: 'path' } }) });

const give = createRoute({
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

const wait = createRoute({
  method: 'get',
  path: '/tasks/{id}/answer',
  summary: 'Waits for the message that answers a task, or for what ended it, and hands it over.',
  request: {
    params: idParam,
    query: z.object({
      timeoutMs: z.coerce.number().int().min(0).max(longestWaitMs).default(longestWaitMs),
    }),
  },
  responses: { 200: json(answerSchema, 'The answer, or why there is none.'), ...orFault },
});

const confirm = createRoute({
  method: 'post',
  path: '/hand-overs/{id}',
  summary: 'What was handed over has been printed; within 15 s, or it is offered again, marked.',
  request: { params: idParam },
  responses: {
    200: json(z.object({ confirmed: z.boolean() }), 'Whether it came in time.'),
    ...orFault,
  },
});
