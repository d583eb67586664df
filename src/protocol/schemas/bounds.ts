import { z } from '@hono/zod-openapi';
import { nameForm } from '../../agents/agent-name.ts';
import { limits } from '../../messages/message.ts';

/**
 * What a request may hold: all of it is bounded before anything is looked up by it. Bodies are
 * bounded by a setting. Where the program has better words than zod for what is wrong, it checks
 * that itself, and the schema here only describes it (`openapi`).
 */

/** An id, or the name of an agent, a session, a profile, a provider or a model. */
export const nameSchema = z.string().min(1).max(200);

/** A name that is given to something new. */
export const newNameSchema = nameSchema.openapi({ pattern: nameForm.source, maxLength: 64 });

/** A message or a task. */
export const bodySchema = z.string().openapi({
  minLength: 1,
  description: 'The text; `body-limit` says how many bytes it may have.',
});

/** Its bytes are counted where it is used. */
export const keySchema = z
  .string()
  .max(limits.key)
  .openapi({
    minLength: 1,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    description: `At most ${limits.key} bytes, without control characters.`,
  });

/** Linux takes no longer one. That it is whole is judged where it is used. */
export const pathSchema = z
  .string()
  .min(1)
  .max(4096)
  .openapi({ pattern: '^/[^\\u0000]*$', description: 'The whole path of a folder, from / on.' });

/** What it means is judged where it is used. */
export const umaskSchema = z.string().max(20).openapi({
  description: 'Three octal digits, with or without a 0 before them.',
  pattern: '^0?[0-7]{3}$',
  example: '0022',
});

/** A whole number in a query: plain digits, since "1e2" and "" would be read as numbers too. */
export const digitsSchema = z
  .string()
  .regex(/^\d{1,15}$/, 'Give a whole number.')
  .transform(Number);

export function queryNumber(least: number, most: number, fallback = most) {
  return digitsSchema
    .pipe(z.number().min(least).max(most))
    .default(fallback)
    .openapi({ type: 'integer', minimum: least, maximum: most, default: fallback });
}
