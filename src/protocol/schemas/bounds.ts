import { z } from '@hono/zod-openapi';

/**
 * What a request may hold: all of it is bounded before anything is looked up by it. Bodies are
 * bounded by a setting.
 */

/** An id, or the name of an agent, a session, a profile, a provider or a model. */
export const nameSchema = z.string().min(1).max(200);

/** Its bytes are counted where it is used. */
export const keySchema = z.string().max(256);

/** Linux takes no longer one. */
export const pathSchema = z.string().min(1).max(4096);

/** What it means is judged where it is used. */
export const umaskSchema = z
  .string()
  .max(20)
  .openapi({ description: 'Three or four octal digits.', example: '0022' });
