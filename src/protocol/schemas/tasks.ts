import { z } from '@hono/zod-openapi';
import { agentNameSchema, versionWarningSchema } from './agents.ts';
import {
  bodySchema,
  keySchema,
  nameSchema,
  newNameSchema,
  pathSchema,
  umaskSchema,
} from './bounds.ts';
import { named } from './meaning.ts';
import { messageSchema } from './messages.ts';
import { messageId, words } from './values.ts';

/** Strict: a misspelt field must not be a task without what was asked for. */
export const taskRequestSchema = z
  .strictObject({
    to: nameSchema,
    task: bodySchema,
    key: keySchema.optional(),
    name: newNameSchema.optional().describe('Of an agent that is launched for it.'),
    session: newNameSchema.optional(),
    cwd: pathSchema,
    worktree: z.boolean().optional(),
    model: nameSchema.optional(),
    handoff: z
      .boolean()
      .optional()
      .describe(
        'You wait for the answer: an agent that is launched for it is stopped once its answer is read. Without it that agent is stopped after a long rest (`idle-stop`).',
      ),
    keep: z
      .boolean()
      .optional()
      .describe('That agent is not stopped by itself, now or after later tasks.'),
    env: z.record(z.string(), z.string()).readonly(),
    umask: umaskSchema.optional(),
  })
  .openapi('TaskRequest');

export const taskSchema = z
  .object({
    task: messageId.describe('The message; it is owed an answer.'),
    short: z.string().optional().describe('Its short id: `worker:412`.'),
    agent: named(agentNameSchema, 'Who was given it.'),
    launched: z.boolean().describe('The agent was launched for it.'),
    duplicate: z.boolean().describe('Its key was known: this task was given before.'),
    broughtBack: z
      .literal(true)
      .optional()
      .describe('That agent had ended by itself, and is started again, with its conversation.'),
    also: z
      .string()
      .optional()
      .describe('It went to an agent that runs; this profile or provider has the same name.'),
    unwoken: z
      .string()
      .optional()
      .describe(
        'It waits, because no message wakes that agent at rest: why, until when, and what helps.',
      ),
    versionWarning: named(
      versionWarningSchema,
      'With the first task or message in each life of that agent: the lab has not tried the version of its CLI, or has seen a case fail in it.',
    ).optional(),
    notes: words
      .optional()
      .describe(
        'Remarks about the agent that was launched for it, such as a part of its profile that was left out.',
      ),
  })
  .openapi('Task');

const outcomes = [
  'answered',
  'unanswered',
  'exited',
  'dead',
  'removed',
  'withdrawn',
  'pending',
  'elsewhere',
] as const;

export const answerSchema = z
  .object({
    task: messageId.describe('The task: `msg_…`.'),
    agent: named(agentNameSchema, 'Who was given it.'),
    outcome: z
      .enum(outcomes)
      .describe(
        '`unanswered`: it was reminded and rests; `dead`: the task never arrived; `withdrawn`: it was taken back; `pending`: the answer will come as a message; `elsewhere`: it has come as one.',
      ),
    ended: z
      .enum(outcomes)
      .optional()
      .describe('Where the outcome is `elsewhere`: how the task ended.'),
    message: named(messageSchema, 'The message that says so.').optional(),
    handOver: z
      .string()
      .optional()
      .describe('To be confirmed once it is printed; without that it is offered again.'),
  })
  .openapi('Answer');
