import { z } from '@hono/zod-openapi';
import type {
  AckRequest,
  AckResult,
  CheckRequest,
  DrainResult,
  Explanation,
  InboxList,
  Looked,
  MessageView,
  SendRequest,
  SendResult,
  Waited,
} from '../messages.ts';
import { agentNameSchema, missingRouteSchema } from './agents.ts';
import { agree } from './agreement.ts';
import { keySchema, nameSchema } from './bounds.ts';

const time = z.string().openapi({ format: 'date-time' });
const count = z.number().int();
const id = nameSchema;

export const messageStateSchema = z
  .enum([
    'queued',
    'claimed',
    'injected',
    'seen',
    'acked',
    'uncertain',
    'superseded',
    'expired',
    'dead',
  ])
  .openapi('MessageState');

export const messageSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['message', 'task', 'completion', 'bounce', 'notice']),
    from: agentNameSchema,
    to: agentNameSchema,
    state: messageStateSchema,
    body: z.string(),
    truncated: z.boolean(),
    urgent: z.boolean(),
    createdAt: time,
    expiresAt: time.optional(),
    replyTo: z.array(z.string()).readonly().optional(),
    owes: z.array(z.string()).readonly().optional(),
    reports: z.array(z.string()).readonly().optional(),
    attempts: count,
    inContext: z.boolean().optional(),
    outcome: z.string().optional(),
    reason: z.string().optional(),
    turn: z.string().optional(),
    child: agentNameSchema.optional(),
    repeat: z.literal(true).optional(),
  })
  .openapi('Message');
agree<z.infer<typeof messageSchema>, MessageView>();

/** Strict: a misspelt key must not be a send without one. */
export const sendSchema = z
  .strictObject({
    to: nameSchema,
    body: z.string(),
    key: keySchema.optional(),
    urgent: z.boolean().optional(),
    ttlMs: z.number().int().positive().optional(),
    replyTo: id.optional(),
  })
  .openapi('SendRequest');
agree<z.infer<typeof sendSchema>, SendRequest>();

export const sendResultSchema = z
  .object({
    id: z.string(),
    to: agentNameSchema,
    state: messageStateSchema,
    duplicate: z.boolean(),
    unwoken: z.string().optional(),
  })
  .openapi('SendResult');
agree<z.infer<typeof sendResultSchema>, SendResult>();

export const waitedSchema = z
  .object({ id: z.string(), state: messageStateSchema, reached: z.boolean() })
  .openapi('Waited');
agree<z.infer<typeof waitedSchema>, Waited>();

export const lookedSchema = z.object({ broken: z.string().optional() }).openapi('Looked');
agree<z.infer<typeof lookedSchema>, Looked>();

export const inboxListSchema = z
  .object({ messages: z.array(messageSchema).readonly(), remaining: count })
  .openapi('InboxList');
agree<z.infer<typeof inboxListSchema>, InboxList>();

export const checkSchema = z
  .strictObject({ max: z.number().int().positive().optional() })
  .openapi('CheckRequest');
agree<z.infer<typeof checkSchema>, CheckRequest>();

export const drainSchema = z
  .object({ messages: z.array(messageSchema).readonly(), remaining: count, deadLetters: count })
  .openapi('Drain');
agree<z.infer<typeof drainSchema>, DrainResult>();

export const ackSchema = z
  .strictObject({ ids: z.array(id).min(1).max(1000).readonly() })
  .openapi('AckRequest');
agree<z.infer<typeof ackSchema>, AckRequest>();

export const ackResultSchema = z
  .object({ messages: z.array(z.object({ id: z.string(), state: messageStateSchema })).readonly() })
  .openapi('AckResult');
agree<z.infer<typeof ackResultSchema>, AckResult>();

const moveSchema = z.object({
  at: time,
  from: messageStateSchema.nullable(),
  to: messageStateSchema,
  cause: z.string(),
  evidence: z.string().optional(),
});

const attemptSchema = z.object({
  number: count,
  folded: count.optional(),
  at: time,
  route: z.string(),
  epoch: count,
  outcome: z.string(),
  provider: z.string().optional(),
  receipt: z.string().optional(),
  pointer: z.literal(true).optional(),
  handedOutAt: time.optional(),
  parts: z.object({ handed: count, of: count }).optional(),
  unconfirmed: z.literal(true).optional(),
});

export const explanationSchema = z
  .object({
    message: messageSchema,
    history: z.array(moveSchema).readonly(),
    attempts: z.array(attemptSchema).readonly(),
    waitsFor: z.string().optional(),
    lacks: z.array(missingRouteSchema).readonly().optional(),
  })
  .openapi('Explanation');
agree<z.infer<typeof explanationSchema>, Explanation>();
