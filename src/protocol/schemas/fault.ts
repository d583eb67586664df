import { z } from '@hono/zod-openapi';

/** What every failure that a caller can act on says. */
export const faultWordsSchema = z.object({
  code: z.string().describe('One of the codes below; it does not change.'),
  message: z.string().describe('What happened, and to what.'),
  next: z.string().describe('What to do next.'),
});

export const faultSchema = z
  .object({ error: faultWordsSchema.describe('The failure.') })
  .openapi('Fault');
