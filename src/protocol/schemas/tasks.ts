import { z } from '@hono/zod-openapi';
import type { AnswerView, TaskRequest, TaskView } from '../tasks.ts';
import { agentNameSchema } from './agents.ts';
import { agree } from './agreement.ts';
import { keySchema, nameSchema, pathSchema, umaskSchema } from './bounds.ts';
import { messageSchema } from './messages.ts';

/** Strict: a misspelt field must not be a task without what was asked for. */
export const taskRequestSchema = z
  .strictObject({
    to: nameSchema,
    task: z.string(),
    key: keySchema.optional(),
    name: nameSchema.optional(),
    session: nameSchema.optional(),
    cwd: pathSchema,
    worktree: z.boolean().optional(),
    model: nameSchema.optional(),
    env: z.record(z.string(), z.string()).readonly(),
    umask: umaskSchema.optional(),
  })
  .openapi('TaskRequest');
agree<z.infer<typeof taskRequestSchema>, TaskRequest>();

export const taskSchema = z
  .object({
    task: z.string(),
    agent: agentNameSchema,
    launched: z.boolean(),
    duplicate: z.boolean(),
    also: z.string().optional(),
    unwoken: z.string().optional(),
    notes: z.array(z.string()).readonly().optional(),
  })
  .openapi('Task');
agree<z.infer<typeof taskSchema>, TaskView>();

export const answerSchema = z
  .object({
    task: z.string(),
    agent: agentNameSchema,
    outcome: z.enum([
      'answered',
      'unanswered',
      'exited',
      'dead',
      'removed',
      'pending',
      'elsewhere',
    ]),
    message: messageSchema.optional(),
    handOver: z.string().optional(),
  })
  .openapi('Answer');
agree<z.infer<typeof answerSchema>, AnswerView>();
