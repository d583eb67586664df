import { z } from '@hono/zod-openapi';
import type { AgentView, RemoveResult } from '../agents.ts';
import { agree } from './agreement.ts';

export const agentNameSchema = z.object({ id: z.string(), name: z.string() }).openapi('AgentName');

const statuses = [
  'starting',
  'idle',
  'processing',
  'waiting',
  'completed',
  'error',
  'exited',
  'unknown',
] as const;

const time = z.string().openapi({ format: 'date-time' });
const count = z.number().int();

export const missingRouteSchema = z
  .object({ route: z.string(), why: z.string() })
  .openapi('MissingRoute');

export const agentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    session: z.string(),
    provider: z.string(),
    backend: z.string(),
    epoch: count,
    status: z.enum(statuses),
    detail: z.string().optional(),
    source: z.string(),
    since: time,
    parent: agentNameSchema.optional(),
    profile: z.string().optional(),
    cwd: z.string(),
    worktree: z
      .object({ path: z.string(), branch: z.string(), repository: z.string(), base: z.string() })
      .optional(),
    inbox: z.object({
      queued: count,
      claimed: count,
      injected: count,
      uncertain: count,
      dead: count,
    }),
    owes: z
      .array(
        z.object({
          task: z.string(),
          to: agentNameSchema,
          since: time,
          reminded: z.literal(true).optional(),
        }),
      )
      .readonly()
      .optional(),
    held: z.object({ until: time, why: z.string() }).optional(),
    composer: z.enum(['empty', 'draft', 'hidden', 'unknown']).optional(),
    humanTypedAt: time.optional(),
    providerVersion: z.string().optional(),
    conversation: z.string().optional(),
    exitCode: count.optional(),
    exitSignal: z.string().optional(),
    routes: z.array(z.string()).readonly().optional(),
    lacks: z.array(missingRouteSchema).readonly().optional(),
    broken: z.string().optional(),
    unwoken: z.string().optional(),
    waitsFor: z.string().optional(),
    notes: z.array(z.string()).readonly().optional(),
  })
  .openapi('Agent');
agree<z.infer<typeof agentSchema>, AgentView>();

export const agentListSchema = z
  .object({ agents: z.array(agentSchema).readonly() })
  .openapi('AgentList');

const errorSchema = z.object({ code: z.string(), message: z.string(), next: z.string() });

export const removeResultSchema = z
  .object({
    removed: z
      .array(
        agentNameSchema.extend({
          settled: count,
          maybeRead: count,
          read: count,
          troubles: z.array(z.string()).readonly().optional(),
          worktree: z
            .object({
              path: z.string(),
              branch: z.string(),
              outcome: z.enum(['removed', 'kept']),
              reason: z.string().optional(),
            })
            .optional(),
        }),
      )
      .readonly(),
    failed: z
      .array(agentNameSchema.extend({ error: errorSchema }))
      .readonly()
      .optional(),
  })
  .openapi('RemoveResult');
agree<z.infer<typeof removeResultSchema>, RemoveResult>();
