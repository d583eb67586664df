import { z } from '@hono/zod-openapi';
import { time } from './values.ts';

export const eventSchema = z
  .object({
    id: z
      .string()
      .optional()
      .describe('For Last-Event-ID. Output has none: it cannot be replayed.'),
    topic: z
      .string()
      .describe(
        'Such as `agent.agt_….status`; `gap` where events were lost or a stream begins anew.',
      ),
    at: time.describe('When it happened.'),
    data: z.record(z.string(), z.unknown()).readonly().describe('The facts, by topic.'),
  })
  .openapi('Event');

export const eventListSchema = z
  .object({ events: z.array(eventSchema).readonly().describe('The events, oldest first.') })
  .openapi('EventList');
