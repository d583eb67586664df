import { z } from '@hono/zod-openapi';
import { agentNameSchema, statuses } from './agents.ts';
import { named } from './meaning.ts';
import { messageSchema } from './messages.ts';
import { count, waitCodeSchema } from './values.ts';

/** A request that takes longer is given up by proxies and clients. */
const longestInterruptMs = 50_000;
export const usualInterruptMs = 10_000;

const fates = [
  'broken-off',
  'taken-back',
  'put-back',
  'taken-out',
  'in-conversation',
  'waits',
  'given-up',
  'unknown',
] as const;

export const interruptRequestSchema = z
  .strictObject({
    timeoutMs: z
      .number()
      .int()
      .positive()
      .max(longestInterruptMs)
      .optional()
      .describe('How long proof that its turn has ended is awaited; 10 s without it.'),
    who: z.string().max(200).optional().describe('The account and the terminal, for the record.'),
  })
  .openapi('InterruptRequest');

const heldSchema = messageSchema
  .pick({ id: true, short: true, from: true, kind: true, state: true, standing: true })
  .extend({
    fate: z
      .enum(fates)
      .describe(
        '`broken-off`: the model had read it; `taken-back`: a prompt of the user that is not said again; `put-back`: it stands in the composer, for the person to send or delete; `taken-out`: out of the conversation, offered again after the next turn; `in-conversation`: it stays there, without an answer; `waits`: it goes in later; `unknown`: not known yet, see `explain`.',
      ),
  });

export const interruptSchema = agentNameSchema
  .extend({
    by: z.enum(['api', 'keys']).describe("By the CLI's own API, or by guarded keys."),
    presses: count.describe('How often Esc was pressed; 0 by the API.'),
    status: z.enum(statuses).describe('What it does now that its turn has ended.'),
    hasAsked: z
      .literal(true)
      .optional()
      .describe(
        'A question of it was under way at that moment and not on its screen yet; it ended with the turn, and nobody has answered it.',
      ),
    messages: z
      .array(heldSchema)
      .readonly()
      .describe('Messages that the turn may have held, and what became of each.'),
    waiting: count.describe("Messages that wait, in its inbox and in its CLI's own queue."),
    waitsFor: z.string().optional().describe('What they wait for.'),
    waitsForCode: named(waitCodeSchema, 'The same as a code.').optional(),
  })
  .openapi('Interrupted');
