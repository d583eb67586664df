import { z } from '@hono/zod-openapi';
import { composers, statuses } from './agents.ts';

export const detectResultSchema = z.object({
  status: z.enum(statuses).describe('What the agent does.'),
  detail: z.string().optional().describe('More about the status, such as `permission`.'),
  question: z.string().optional().describe('What the CLI asks, in the words of its screen.'),
  composer: z
    .enum(composers)
    .describe(
      '`empty` only when it is proven: that is what allows a paste. `blank`: at most blanks stand there, which a paste does not mind.',
    ),
  mode: z
    .string()
    .optional()
    .describe('What the composer takes instead of prompts, such as `shell`.'),
  noPaste: z
    .string()
    .optional()
    .describe('Why nothing can be pasted there however long it rests, such as `vim-normal`.'),
  beside: z
    .literal('sub-agents')
    .optional()
    .describe('What works beside a conversation that rests, and may ask a person something.'),
  rule: z.string().describe('The rule that fired, or `none`.'),
  provider: z.string().describe('Whose screen it is.'),
  providerVersions: z.string().describe('The versions of the CLI that the rules were written for.'),
});

export const ruleSchema = z.object({
  name: z.string().describe('Its name.'),
  says: z
    .string()
    .describe('`waiting: permission`; of a rule for the composer, the composer that it proves.'),
  versions: z.string().optional().describe('The versions of the CLI that it is for.'),
  source: z.string().describe('The file that it comes from.'),
});

/** The rules that hold for a provider, in the order in which they are asked. */
export const detectorRulesSchema = z.object({
  provider: z.string().describe('Whose rules they are.'),
  providerVersions: z.string().describe('The versions of the CLI that the rules were written for.'),
  tested: z.string().describe('The version that they were tested with.'),
  rules: z.array(ruleSchema).readonly().describe('The rules for the status.'),
  composer: z.array(ruleSchema).readonly().describe('The rules for the composer.'),
  ownFile: z.string().describe("Where a user's own file would be, or is."),
});
