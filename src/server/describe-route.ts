import { z } from '@hono/zod-openapi';
import { faultSchema } from '../protocol/schemas/fault.ts';

/** What the descriptions of routes have in common. */

export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

export const orFault = { default: json(faultSchema, 'What went wrong, and what to do next.') };

export const agentParam = z.object({
  agent: z.string().openapi({ param: { name: 'agent', in: 'path' }, description: 'Name or id.' }),
});
