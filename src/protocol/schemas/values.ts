import { z } from '@hono/zod-openapi';

/** ISO 8601 in UTC. */
export const time = z.string().openapi({ format: 'date-time' });

export const count = z.number().int();

export const words = z.array(z.string()).readonly();
