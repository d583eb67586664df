import { z } from '@hono/zod-openapi';
import type { Answer } from '../../agents/answer.ts';
import type { ShownQuestion } from '../../agents/question.ts';
import { agentNameSchema, statuses } from './agents.ts';
import { named } from './meaning.ts';
import { questionSchema } from './question.ts';

const decisions = ['allow', 'deny'] as const satisfies ShownQuestion['decisions'];

export const questionIdSchema = z.string().max(40).openapi({
  pattern: '^q[a-z]{6,32}$',
  description: 'The name of the question, as it was shown.',
});

/** What an agent asks now. */
export const agentQuestionsSchema = z
  .object({
    agent: named(agentNameSchema, 'Who asks.'),
    status: z.enum(statuses).describe('What it does now.'),
    question: z.string().optional().describe('While it is `waiting`: what it asks, in one line.'),
    questions: z
      .array(questionSchema)
      .readonly()
      .describe('What can be answered without its terminal, whole, the oldest first.'),
    isBlind: z
      .literal(true)
      .optional()
      .describe('Its CLI cannot be asked just now, so there may be more.'),
  })
  .openapi('AgentQuestions');

export const decisionSchema = z
  .strictObject({
    decision: z.enum(decisions).describe('For this request alone.'),
    who: z
      .string()
      .max(200)
      .optional()
      .describe('Of the user at a terminal: the account and the terminal, for the record.'),
  })
  .openapi('Decision');

const outcomes = ['taken', 'unknown'] as const satisfies readonly Answer['outcome'][];

export const decidedSchema = z
  .object({
    agent: named(agentNameSchema, 'Who asked.'),
    question: questionIdSchema.describe('What it asked.'),
    decision: z.enum(decisions).describe('What was decided.'),
    outcome: z
      .enum(outcomes)
      .describe(
        '`taken`: its CLI has confirmed it; `unknown`: it was sent, and nothing tells more.',
      ),
    reason: z.string().optional().describe('Why nothing tells more.'),
  })
  .openapi('Decided');
