import { z } from '@hono/zod-openapi';
import type { AttemptOutcome, Route } from '../../messages/claim.ts';
import {
  type DeadReason,
  limits,
  type MessageKind,
  type MessageState,
  type TurnOutcome,
} from '../../messages/message.ts';
import { agentNameSchema, missingRouteSchema, versionWarningSchema } from './agents.ts';
import { bodySchema, keySchema, nameSchema } from './bounds.ts';
import { debtStorySchema } from './debt-story.ts';
import { interruptionSchema } from './interruption.ts';
import { named } from './meaning.ts';
import { causeCodeSchema, count, messageId, time, waitCodeSchema, words } from './values.ts';

const states = [
  'queued',
  'claimed',
  'injected',
  'seen',
  'acked',
  'uncertain',
  'superseded',
  'expired',
  'dead',
] as const satisfies readonly MessageState[];

const kinds = [
  'message',
  'task',
  'completion',
  'bounce',
  'notice',
] as const satisfies readonly MessageKind[];

const turnOutcomes = [
  'completed',
  'failed',
  'interrupted',
  'waiting',
  'exited',
  'unknown',
] as const satisfies readonly TurnOutcome[];

const deadReasons = [
  'orphan',
  'parent_removed',
  'child_removed',
  'recipient_removed',
  'attempts_exhausted',
  'refused',
  'withdrawn',
] as const satisfies readonly DeadReason[];

const routes = [
  'native',
  'turn-boundary',
  'mid-turn',
  'paste',
  'pull',
] as const satisfies readonly Route[];

const attemptOutcomes = [
  'claimed',
  'injected',
  'seen',
  'acked',
  'abandoned',
  'not-landed',
  'uncertain',
  'dead',
] as const satisfies readonly AttemptOutcome[];

export const messageStateSchema = z.enum(states).openapi('MessageState');

const standing = z
  .enum(['prompt', 'notice'])
  .describe(
    'What it arrived as, or is expected to: a prompt of the user, or a notice with its sender.',
  );

export const messageSchema = z
  .object({
    id: messageId.describe('`msg_…`'),
    number: count
      .optional()
      .describe('Its number in the inbox of its recipient; never used twice there.'),
    short: z.string().optional().describe('The short id: `lead:412`. Accepted where `msg_…` is.'),
    kind: z.enum(kinds).describe('What it is.'),
    from: named(agentNameSchema, 'Who sent it; `agt_signalbox` for what signalbox itself says.'),
    to: named(agentNameSchema, 'Whom it is for.'),
    state: named(messageStateSchema, 'How far it has come.'),
    body: z.string().describe('Its text.'),
    truncated: z.boolean().describe('The body was longer, and was cut when it was accepted.'),
    urgent: z.boolean().describe('It goes before others and may join a turn that runs.'),
    standing,
    createdAt: time.describe('When it was accepted.'),
    expiresAt: time.optional().describe('When it expires if nobody has taken it.'),
    replyTo: words.optional().describe('Messages that it answers.'),
    owes: words
      .optional()
      .describe('Of a completion: tasks that the turn held and did not answer.'),
    reports: words
      .optional()
      .describe('Of a completion that settles tasks: messages that its child sent meanwhile.'),
    attempts: count.describe('How often a route tried to deliver it.'),
    inContext: z.boolean().optional().describe('The agent has it in its conversation.'),
    outcome: z.enum(turnOutcomes).optional().describe('Of a completion: how the turn ended.'),
    reason: z.enum(deadReasons).optional().describe('Why it is dead.'),
    turn: z.string().optional().describe('Of a completion: the turn that ended.'),
    child: named(agentNameSchema, 'Of a completion: whose turn ended.').optional(),
    repeat: z
      .literal(true)
      .optional()
      .describe('This copy may be a second one; absent where it cannot be.'),
  })
  .openapi('Message');

/** A message, or one part of its body. */
export const partSchema = messageSchema.extend({
  part: z
    .object({ number: count.describe('From 1.'), of: count.describe('How many there are.') })
    .optional()
    .describe('Which part of a long body this is; absent where the body is whole.'),
});

/** Strict: a misspelt key must not be a send without one. */
export const sendSchema = z
  .strictObject({
    to: nameSchema,
    body: bodySchema,
    key: keySchema.optional(),
    urgent: z.boolean().optional(),
    notice: z
      .boolean()
      .optional()
      .describe('Of the user: it is to arrive as a notice, not as a prompt.'),
    ttlMs: z.number().int().positive().optional().openapi({ maximum: limits.ttlMs }),
    replyTo: nameSchema.optional(),
  })
  .openapi('SendRequest');

export const sendResultSchema = z
  .object({
    id: messageId.describe('The message: `msg_…`.'),
    short: z.string().describe('Its short id: `lead:412`. Accepted where `msg_…` is.'),
    to: named(agentNameSchema, 'Whom it is for.'),
    state: named(messageStateSchema, 'How far it has come.'),
    standing,
    duplicate: z.boolean().describe('Its key was known: this is the message of an earlier send.'),
    broughtBack: z
      .literal(true)
      .optional()
      .describe('Its recipient had ended by itself, and is started again, with its conversation.'),
    unwoken: z
      .string()
      .optional()
      .describe(
        'It waits, because its recipient does not run, or no message wakes it at rest: why, until when, and what helps.',
      ),
    versionWarning: named(
      versionWarningSchema,
      "With the first message in each life of its recipient: the lab has not tried the version of the recipient's CLI, or has seen a case fail in it.",
    ).optional(),
  })
  .openapi('SendResult');

/** One poll for a state. */
export const waitedSchema = z
  .object({
    id: messageId,
    state: messageStateSchema,
    reached: z.boolean().describe('False: not yet; ask again.'),
  })
  .openapi('Waited');

/** A hint was taken. */
export const lookedSchema = z
  .object({
    broken: z
      .string()
      .optional()
      .describe(
        'The broken standing channel of the recipient (rule 53), or what a person has in the way (rule 45).',
      ),
  })
  .openapi('Looked');

export const inboxListSchema = z
  .object({
    messages: z.array(messageSchema).readonly().describe('The messages, oldest first.'),
    remaining: count.describe('Matching messages beyond those listed; 0 when these are all.'),
  })
  .openapi('InboxList');

export const checkSchema = z
  .strictObject({ max: z.number().int().positive().optional() })
  .openapi('CheckRequest');

export const drainSchema = z
  .object({
    messages: z.array(messageSchema).readonly().describe('The messages that were taken.'),
    remaining: count.describe('Messages that still wait; drain again.'),
    deadLetters: count.describe('Messages that could not be delivered and need attention.'),
  })
  .openapi('Drain');

export const ackSchema = z
  .strictObject({ ids: z.array(nameSchema).min(1).max(1000).readonly() })
  .openapi('AckRequest');

export const ackResultSchema = z
  .object({
    messages: z
      .array(
        z.object({
          id: messageId.describe('`msg_…`'),
          state: named(messageStateSchema, 'How far it has come.'),
        }),
      )
      .readonly()
      .describe('The messages, as they are now.'),
  })
  .openapi('AckResult');

export const cancelSchema = z
  .object({
    outcome: z
      .enum(['withdrawn', 'released', 'already'])
      .describe(
        '`withdrawn`: it is dead, and nobody reads it; `released`: a task that its worker has, or may have: no answer to it is owed any more, and the worker is told so; `already`: it had been taken back before.',
      ),
    mayHaveBeenRead: z
      .literal(true)
      .optional()
      .describe('An earlier try to deliver it may have landed.'),
    toldBy: messageId.optional().describe('Of a task: the notice by which its worker is told.'),
    message: named(messageSchema, 'The message, as it is now.'),
  })
  .openapi('Cancelled');

const moveSchema = z.object({
  at: time.describe('When it moved.'),
  // Not `nullable`: the document would list the words in an `allOf`, where null is none of them.
  from: z
    .union([messageStateSchema, z.null()])
    .describe('The state before; null at the beginning.'),
  to: named(messageStateSchema, 'The state after.'),
  code: named(
    causeCodeSchema,
    'Why it moved, for programs; absent in the first move and in old histories.',
  ).optional(),
  cause: z.string().describe('Why it moved, for people; its words may change.'),
  evidence: z.string().optional().describe('The proof.'),
  attempt: count.optional().describe('The number of the attempt that the move was about.'),
});

const attemptSchema = z.object({
  number: count.describe('From 1, of this message; causes in its history name it so.'),
  folded: count.optional().describe('So many tries before it, cut off like it, are not listed.'),
  at: time.describe('When it began.'),
  route: z.enum(routes).describe('The way into the agent.'),
  epoch: count.describe('Into which life of the recipient.'),
  outcome: z.enum(attemptOutcomes).describe('What came of it.'),
  provider: z.string().optional().describe('The provider of that life.'),
  receipt: z.string().optional().describe('What the CLI calls it.'),
  pointer: z.literal(true).optional().describe('Its id went in, its body did not (rule 13).'),
  handedOutAt: time.optional().describe('When a command of the agent printed its body.'),
  parts: z
    .object({
      handed: count.describe('Parts that were handed out.'),
      of: count.describe('Parts that the body has.'),
    })
    .optional()
    .describe('Of a long body: how many parts that life was handed.'),
  unconfirmed: z
    .literal(true)
    .optional()
    .describe('Sent, and this route can give no proof (rule 8).'),
});

export const explanationSchema = z
  .object({
    message: named(messageSchema, 'The message.'),
    history: z.array(moveSchema).readonly().describe('Every move from state to state, in order.'),
    attempts: z.array(attemptSchema).readonly().describe('Every try to deliver it, in order.'),
    interruptions: z
      .array(interruptionSchema)
      .readonly()
      .optional()
      .describe('By whom turns that may have held it were ended with `interrupt`, in order.'),
    debt: debtStorySchema.optional().describe('Of a task: whether its answer is owed.'),
    waitsFor: z
      .string()
      .optional()
      .describe('What a queued message waits for, or where one on its way in stands.'),
    waitsForCode: named(waitCodeSchema, 'The same as a code.').optional(),
    lacks: z
      .array(missingRouteSchema)
      .readonly()
      .optional()
      .describe('With it: routes that do not lead into that agent now.'),
  })
  .openapi('Explanation');
