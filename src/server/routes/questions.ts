import type { OpenAPIHono } from '@hono/zod-openapi';
import { neutraliseDocument } from '../../messages/neutralise-document.ts';
import type { DecisionRequest } from '../../protocol/questions.ts';
import {
  agentQuestionsSchema,
  decidedSchema,
  decisionSchema,
  questionIdSchema,
} from '../../protocol/schemas/questions.ts';
import { answer as answerQuestion } from '../../requests/answer.ts';
import type { LiveContext } from '../../requests/context.ts';
import { showQuestions } from '../../requests/show-questions.ts';
import { agentParam, describeRoute, json, orFault } from '../describe-route.ts';
import { findCaller } from '../find-caller.ts';

/** What agents ask, and the decision of whoever may decide (rule 54). */
export function addQuestionRoutes(app: OpenAPIHono, context: LiveContext): void {
  app.openapi(list, async (c) => {
    const wish = { ...c.req.valid('param'), gone: c.req.raw.signal };
    const caller = await findCaller(context, c);
    const asked = await showQuestions(context, caller, wish);
    // A tool's input is words of others to the supervisor that decides about it (rule 47).
    return c.json(caller.kind === 'agent' ? neutraliseDocument(asked) : asked, 200);
  });

  app.openapi(decide, async (c) => {
    const given = c.req.valid('json') as DecisionRequest;
    const wish = { ...given, ...c.req.valid('param'), gone: c.req.raw.signal };
    const caller = await findCaller(context, c);
    return c.json(await answerQuestion(context, caller, { ...wish, place: 'terminal' }), 200);
  });
}

const list = describeRoute({
  operationId: 'getQuestions',
  method: 'get',
  path: '/agents/{agent}/questions',
  summary: 'What it asks and can be answered without its terminal, whole.',
  request: { params: agentParam },
  responses: { 200: json(agentQuestionsSchema, 'What it asks.'), ...orFault },
});

const decide = describeRoute({
  operationId: 'answerQuestion',
  method: 'post',
  path: '/agents/{agent}/questions/{question}',
  summary:
    'Decides exactly this question, once. For the user, and for a supervisor that the user has named.',
  request: {
    params: agentParam.extend({
      question: questionIdSchema.openapi({ param: { name: 'question', in: 'path' } }),
    }),
    body: { required: true, ...json(decisionSchema, 'What is decided.') },
  },
  responses: { 200: json(decidedSchema, 'What came of it.'), ...orFault },
});
