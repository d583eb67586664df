import { z } from '@hono/zod-openapi';
import { agentNameSchema, agentSchema, failedSchema } from './agents.ts';
import { daemonInfoSchema } from './daemon.ts';
import { faultWordsSchema } from './fault.ts';
import { named } from './meaning.ts';
import { messageSchema, sendResultSchema } from './messages.ts';
import { profileSchema } from './profiles.ts';
import { answerSchema, taskSchema } from './tasks.ts';
import { stopSchema } from './terminals.ts';
import { trustSchema } from './trust.ts';
import { count, time, words } from './values.ts';

/** Documents that the command line alone makes, with `--json`. */

const why = faultWordsSchema
  .optional()
  .describe('Why it was waited for in vain; absent otherwise.');

export const sentSchema = sendResultSchema.extend({ error: why });

export const handoffSchema = answerSchema.omit({ handOver: true }).extend({
  unwoken: z
    .string()
    .optional()
    .describe('With `pending`: no message wakes that agent at rest: why, until when, what helps.'),
  versionWarning: taskSchema.shape.versionWarning,
  error: why,
});

const failed = z
  .array(failedSchema)
  .readonly()
  .optional()
  .describe('Those of several that failed; absent when there are none.');

const attentionItemSchema = z.object({
  kind: z
    .enum(['question', 'failed', 'broken', 'unread', 'dead-letters'])
    .describe(
      '`question`: a CLI asks you; `failed`: its last turn ended with an error; `broken`: no message wakes it until its channel is up again.',
    ),
  agent: named(
    agentNameSchema,
    'Whom it is about. Of `unread`, who wrote; `attention` counts messages, and leaves it out.',
  ).optional(),
  since: time.describe('Since when; of messages, when the oldest was sent.'),
  text: z.string().describe('What it is; of a question, its words.'),
  next: z.string().describe('The command that leads there.'),
});

export const attentionSchema = z.object({
  items: z.array(attentionItemSchema).readonly().describe('What needs you, oldest first.'),
});

export const stoppedSchema = z.object({
  stopped: z.array(stopSchema).readonly().describe('The agents that do not run any more.'),
  failed,
});

export const skippedSchema = agentNameSchema.extend({
  why: z.string().describe('Why it was left alone, for a person.'),
});

export const restartedSchema = z.object({
  agents: z.array(agentSchema).readonly().describe('The agents that were started.'),
  skipped: z
    .array(skippedSchema)
    .readonly()
    .optional()
    .describe('With `--all`: agents that somebody had ended; absent when there are none.'),
  failed,
});

export const changedLettersSchema = z.object({
  messages: z.array(messageSchema).readonly().describe('The messages that were changed.'),
  failed: z
    .array(
      z.object({
        id: z.string().describe('The message as it was named: `msg_…`, or its short id.'),
        error: faultWordsSchema.describe('Why it failed.'),
      }),
    )
    .readonly()
    .optional()
    .describe('Those of several that failed; absent when there are none.'),
});

export const upSchema = daemonInfoSchema.extend({
  started: z.boolean().describe('False: it was running already.'),
});

export const downSchema = z.object({
  outcome: z
    .enum(['stopped', 'killed', 'not-running'])
    .describe('`killed`: it did not end by itself.'),
  pid: count.optional().describe('Its process.'),
  agents: count.optional().describe('Agents that live on; absent where it could not say.'),
});

const endedHomeSchema = z.object({
  state: z.string().describe('The state folder.'),
  config: z.string().describe('The folder of config.yaml; the same where SIGNALBOX_HOME is set.'),
  agents: z
    .array(agentNameSchema)
    .readonly()
    .describe('Agents that lived there; they have ended unless `failed` names them.'),
  daemon: z
    .enum(['stopped', 'killed', 'not-running'])
    .optional()
    .describe('What became of the daemon; `killed`: it did not end by itself.'),
  tmux: z.enum(['stopped', 'absent']).optional().describe('What became of the tmux server.'),
  removed: words.optional().describe('With `--purge`: the files and folders that were removed.'),
  kept: z
    .array(
      z.object({
        path: z.string().describe('The folder.'),
        why: z.string().describe('Why it stays, for a person.'),
      }),
    )
    .readonly()
    .optional()
    .describe('With `--purge`: the folders that were left.'),
  failed,
  notes: words.optional().describe('What was done and could not be recorded, for a person.'),
  error: faultWordsSchema.optional().describe('Why this home was left as it is, or half ended.'),
});

export const uninstalledSchema = z.object({
  ended: z.boolean().describe('False: you answered no, and nothing was done.'),
  homes: z.array(endedHomeSchema).readonly().describe('This home and the default one.'),
  command: z.string().describe('Removes the program itself; signalbox does not run it.'),
});

export const trustListSchema = z.object({
  files: z.array(trustSchema).readonly().describe('The files.'),
});

export const revokedSchema = z.object({
  revoked: z.array(trustSchema).readonly().describe('The files that were trusted until now.'),
});

export const profileListSchema = z.object({
  profiles: z.array(profileSchema).readonly().describe('The profiles, nearest first.'),
});

export const removedProfileSchema = profileSchema.pick({ name: true, path: true });

const path = z.string().describe('The file of the log.');

export const terminalLogSchema = z.object({
  agent: named(agentNameSchema, 'Whose terminal it is.'),
  path,
  text: z.string().describe('The text.'),
});

export const daemonLogSchema = z.object({
  path,
  lines: z
    .array(z.unknown())
    .readonly()
    .describe(
      'The lines, each a JSON document as the daemon wrote it; `{"text": …}` for any other.',
    ),
});

export const configPathsSchema = z.object({
  config: z.string().describe('The configuration file.'),
  ledger: z.string().describe('The file of the ledger.'),
});

export const settingSchema = z.object({
  name: z.string().describe('Its name.'),
  value: z
    .union([z.number(), z.string()])
    .describe('Its value: bytes, milliseconds, a count, or a word.'),
  text: z.string().describe('The value as a person writes it.'),
  source: z.enum(['environment', 'config.yaml', 'default']).describe('Where it comes from.'),
  needsRestart: z
    .literal(true)
    .optional()
    .describe('Of `config set`: the daemon that runs has the old value until it is started again.'),
});

export const configSchema = configPathsSchema.extend({
  settings: z.array(settingSchema).readonly().describe('The settings.'),
  unknown: words.describe('Names in the file that are no setting; signalbox ignores them.'),
});

export const runSchema = z.object({
  agent: named(agentNameSchema, 'The agent that was added for the command.'),
  exitCode: count.describe("The command's own exit code."),
  durationMs: z.number().describe('How long it ran, in ms.'),
  completion: z
    .object({
      id: z.string().describe('`msg_…`'),
      to: named(agentNameSchema, 'Who is told.'),
      state: z.string().describe('How far it has come.'),
      outcome: z.string().describe('How the command ended.'),
    })
    .nullable()
    .describe('The message that tells its end; null while it waits in the spool, or is lost.'),
});

export const completionScriptSchema = z.object({
  shell: z.string().describe('`bash`, `zsh` or `fish`.'),
  script: z.string().describe('The script.'),
});
