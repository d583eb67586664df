import { z } from '@hono/zod-openapi';
import { agentNameSchema } from './agents.ts';
import { nameSchema, newNameSchema, pathSchema, umaskSchema } from './bounds.ts';
import { named } from './meaning.ts';
import { count, words } from './values.ts';

const environment = z.record(z.string(), z.string()).readonly();

/** Strict: a misspelt field must not be a launch without what was asked for. */
export const launchSchema = z
  .strictObject({
    provider: nameSchema.describe(
      'A provider, or a profile as the folder `cwd` finds it; `profile:<name>` is never a provider.',
    ),
    name: newNameSchema.optional(),
    session: newNameSchema.optional(),
    parent: nameSchema.optional(),
    notify: z.boolean(),
    cwd: pathSchema,
    model: nameSchema.optional(),
    terminal: nameSchema
      .optional()
      .describe(
        "The backend of its terminal; without one, that of its launcher's environment, its parent's or the default.",
      ),
    worktree: z.boolean().optional().describe('A git worktree of its own, made from `cwd`.'),
    extraArgs: words.describe('What a person wrote after `--`.'),
    env: environment.describe(
      'The environment of whoever launches; the daemon filters it (rule 40) and writes it nowhere.',
    ),
    // Of an agent's own request it does not count: its child gets the one that it was launched
    // with. Without one, 0077.
    umask: umaskSchema.optional(),
    extraEnv: environment.describe('`--env K=V`'),
    message: z.string().min(1).optional().describe("Committed as the agent's first message."),
  })
  .openapi('LaunchRequest');

export const restartSchema = z
  .strictObject({
    fresh: z.boolean().describe('Do not resume the conversation.'),
    cwd: pathSchema
      .optional()
      .describe('Where it works from now on, in a new conversation; for the user alone.'),
    env: environment,
    // Only for an agent from before umasks were kept: every other one has its own.
    umask: umaskSchema.optional(),
  })
  .openapi('RestartRequest');

export const stopSchema = agentNameSchema
  .extend({
    outcome: z.enum(['stopped', 'already']).describe('`already`: it was not running.'),
    exitCode: count.optional().describe('With which code its process ended.'),
    exitSignal: z.string().optional().describe('By which signal its process ended.'),
    killed: count.describe('Processes that had to be killed one by one.'),
  })
  .openapi('StopResult');

export const outputModeSchema = z.enum(['screen', 'full', 'last']);

export const outputSchema = z
  .object({
    agent: named(agentNameSchema, 'Whose output it is.'),
    mode: outputModeSchema.describe('What was asked for.'),
    text: z.string().describe('The text.'),
    response: z
      .enum(['complete', 'partial', 'none', 'unknown'])
      .describe(
        '`partial`: its start is lost, or its end is to come; `none`: it finished without text, or has not answered yet; `unknown`: nobody can tell which words are an answer.',
      ),
    earlier: z
      .literal(true)
      .optional()
      .describe(
        'The last answer is of an earlier turn: the latest one was interrupted, or has not said anything yet.',
      ),
    searched: words.describe('Where the answer was looked for.'),
  })
  .openapi('Output');

/** One piece of raw output, or a gap in its place. */
export const outputPieceSchema = z
  .object({
    bytes: z.base64().optional().describe('The bytes, as base64.'),
    lost: count.optional().describe('How many bytes were dropped in their place.'),
  })
  .openapi('OutputPiece');

/** Whether the person is inside a terminal of the backend already is told by the environment. */
export const attachRequestSchema = z.strictObject({ env: environment }).openapi('AttachRequest');

export const attachSchema = z
  .object({
    agent: named(agentNameSchema, 'Whose terminal it is.'),
    argv: words.describe(
      'The command that shows the terminal, for scripts; signalbox itself makes its own of `kind` and `ids`.',
    ),
    kind: z.enum(['tmux', 'herdr']).describe('The backend.'),
    ids: z
      .record(z.string(), z.string())
      .describe(
        'tmux: `target`. herdr: `tab`, `terminal`, and `session` unless it is the one that herdr finds by itself.',
      ),
  })
  .openapi('Attach');

export const hookResultSchema = z
  .object({
    outcome: z
      .enum(['taken', 'ignored', 'late'])
      .describe('`ignored`: of an earlier life, of a sub-agent, of a stranger, or not to be read.'),
    reason: z.string().optional(),
  })
  .openapi('HookResult');
