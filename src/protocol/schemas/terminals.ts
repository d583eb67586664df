import { z } from '@hono/zod-openapi';
import type {
  AttachRequest,
  AttachView,
  HookResult,
  LaunchRequest,
  OutputPiece,
  OutputView,
  RestartRequest,
  StopView,
} from '../terminals.ts';
import { agentNameSchema } from './agents.ts';
import { agree } from './agreement.ts';
import { nameSchema, pathSchema, umaskSchema } from './bounds.ts';

const environment = z.record(z.string(), z.string()).readonly();
const words = z.array(z.string()).readonly();
const count = z.number().int();

/** Strict: a misspelt field must not be a launch without what was asked for. */
export const launchSchema = z
  .strictObject({
    provider: nameSchema,
    name: nameSchema.optional(),
    session: nameSchema.optional(),
    parent: nameSchema.optional(),
    notify: z.boolean(),
    cwd: pathSchema,
    model: nameSchema.optional(),
    terminal: nameSchema.optional(),
    worktree: z.boolean().optional(),
    extraArgs: words,
    env: environment,
    umask: umaskSchema.optional(),
    extraEnv: environment,
    message: z.string().min(1).optional(),
  })
  .openapi('LaunchRequest');
agree<z.infer<typeof launchSchema>, LaunchRequest>();

export const restartSchema = z
  .strictObject({ fresh: z.boolean(), env: environment, umask: umaskSchema.optional() })
  .openapi('RestartRequest');
agree<z.infer<typeof restartSchema>, RestartRequest>();

export const stopSchema = agentNameSchema
  .extend({
    outcome: z.enum(['stopped', 'already']),
    exitCode: count.optional(),
    exitSignal: z.string().optional(),
    killed: count,
  })
  .openapi('StopResult');
agree<z.infer<typeof stopSchema>, StopView>();

export const outputModeSchema = z.enum(['screen', 'full', 'last']);

export const outputSchema = z
  .object({
    agent: agentNameSchema,
    mode: outputModeSchema,
    text: z.string(),
    response: z.enum(['complete', 'partial', 'none', 'unknown']),
    searched: words,
  })
  .openapi('Output');
agree<z.infer<typeof outputSchema>, OutputView>();

export const outputPieceSchema = z
  .object({ bytes: z.string().optional(), lost: count.optional() })
  .openapi('OutputPiece');
agree<z.infer<typeof outputPieceSchema>, OutputPiece>();

export const attachRequestSchema = z.strictObject({ env: environment }).openapi('AttachRequest');
agree<z.infer<typeof attachRequestSchema>, AttachRequest>();

export const attachSchema = z
  .object({
    agent: agentNameSchema,
    argv: words,
    kind: z.enum(['tmux', 'herdr']),
    ids: z.record(z.string(), z.string()),
  })
  .openapi('Attach');
agree<z.infer<typeof attachSchema>, AttachView>();

export const hookResultSchema = z
  .object({ outcome: z.enum(['taken', 'ignored', 'late']), reason: z.string().optional() })
  .openapi('HookResult');
agree<z.infer<typeof hookResultSchema>, HookResult>();
