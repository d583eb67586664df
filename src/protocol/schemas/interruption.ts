import { z } from '@hono/zod-openapi';
import type { Interruption } from '../../agents/interruption.ts';
import { count, time } from './values.ts';

const outcomes = [
  'pressing',
  'ended',
  'unproven',
  'refused',
  'unknown',
] as const satisfies readonly Interruption['outcome'][];

/** One end of a turn that the user asked for. */
export const interruptionSchema = z.object({
  outcome: z
    .enum(outcomes)
    .describe(
      '`ended`: its turn has ended; `unproven`: it was told, and nothing has shown the end in time; `refused`: nothing was pressed; `unknown`: its daemon was killed meanwhile, so nobody knows; `pressing`: it is under way.',
    ),
  reason: z.string().optional().describe('Of `refused` and `unknown`: why.'),
  way: z.enum(['api', 'keys']).optional().describe("By the CLI's own API, or by guarded keys."),
  presses: count.describe('How often Esc was pressed; 0 by the API.'),
  who: z.string().optional().describe('The account and the terminal; an agent does not see it.'),
  place: z.enum(['terminal', 'dashboard']).describe('From where.'),
  at: time.describe('When, just before the act.'),
});
