import { z } from '@hono/zod-openapi';
import { count, words } from './values.ts';

export const accountSchema = z.object({
  accepted: count.describe('Messages that a sending program was told are accepted.'),
  settled: count.describe('Of those, the ones that the ledger calls answered for.'),
  lost: count.describe('Accepted, and never in the hands of the program it was for.'),
  doubled: count.describe('Copies after the first that did not say that they may be repeats.'),
  misplaced: count.describe('In the hands of a program that it was not for, or sent by nobody.'),
});

/** One kill -9 and what became of it. */
export const recoverySchema = z.object({
  killed: z.enum(['agent', 'daemon']).describe('The one that was killed.'),
  pid: count.optional().describe('Its process.'),
  outcome: z.enum(['recovered', 'failed']).describe('What became of it.'),
  how: z.string().describe('What was found to be so again, or what was waited for in vain.'),
  ms: z.number().describe('From the kill to that, in ms.'),
});

export const demoOutcomeSchema = z.object({
  account: accountSchema.describe('The tally.'),
  recoveries: z.array(recoverySchema).readonly().describe('The kills.'),
  answer: z.string().optional().describe('What the user got for the task.'),
  repeats: count.describe('Copies that said that they may be second ones.'),
  resent: count.describe('Handed over again under the same key, which made no second message.'),
  problems: words.describe('What did not happen that should have, beyond the recoveries.'),
  seconds: z.number().describe('How long it took, in seconds.'),
  home: z.string().optional().describe('Where it can be looked at, with `--keep`.'),
});
