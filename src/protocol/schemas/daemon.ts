import { z } from '@hono/zod-openapi';
import type { FaultView, HealthView, ShutdownView } from '../daemon.ts';
import type { EventList, EventView } from '../events.ts';
import { agree } from './agreement.ts';

const count = z.number().int();
const time = z.string().openapi({ format: 'date-time' });

const backend = z.object({
  state: z.enum(['connecting', 'ready', 'down', 'unknown']),
  version: z.string().optional(),
  detail: z.string().optional(),
});

export const healthSchema = z
  .object({
    ok: z.boolean(),
    version: z.string(),
    protocol: count,
    terminalBackend: z.string(),
    components: z.object({
      daemon: z.object({
        state: z.enum(['running', 'stopped']),
        pid: count.optional(),
        since: time.optional(),
        socket: z.string().optional(),
        subscribers: count.optional(),
        memoryBytes: count.optional(),
        openFiles: count.optional(),
      }),
      ledger: z.object({
        state: z.enum(['ready', 'missing', 'failed']),
        path: z.string(),
        id: z.string().optional(),
        detail: z.string().optional(),
      }),
      backend,
      backends: z
        .record(z.string(), backend.extend({ isDefault: z.boolean(), agents: count }))
        .readonly(),
      providers: z
        .record(
          z.string(),
          z.object({
            state: z.enum(['found', 'missing', 'unknown']),
            path: z.string().optional(),
            version: z.string().optional(),
            detail: z.string().optional(),
          }),
        )
        .readonly(),
    }),
    agents: z.object({ running: count, troubled: z.array(z.string()).readonly() }),
  })
  .openapi('Health');
agree<z.infer<typeof healthSchema>, HealthView>();

export const shutdownSchema = z
  .object({ stopping: z.literal(true), agents: count })
  .openapi('Shutdown');
agree<z.infer<typeof shutdownSchema>, ShutdownView>();

export const faultSchema = z
  .object({ error: z.object({ code: z.string(), message: z.string(), next: z.string() }) })
  .openapi('Fault');
agree<z.infer<typeof faultSchema>, FaultView>();

export const eventSchema = z
  .object({
    id: z.string().optional(),
    topic: z.string(),
    at: time,
    data: z.record(z.string(), z.unknown()).readonly(),
  })
  .openapi('Event');
agree<z.infer<typeof eventSchema>, EventView>();

export const eventListSchema = z
  .object({ events: z.array(eventSchema).readonly() })
  .openapi('EventList');
agree<z.infer<typeof eventListSchema>, EventList>();
