import { z } from '@hono/zod-openapi';
import { agentNameSchema } from './agents.ts';
import { named } from './meaning.ts';
import { count, time, words } from './values.ts';

export const findingSchema = z.object({
  what: z.string().describe('What was found.'),
  next: z.string().describe('What to do about it.'),
});

const findings = z.array(findingSchema).readonly();

/** Of the ledger alone. */
export const ledgerReportSchema = z.object({
  ok: z.boolean().describe('There are no problems, nothing needs attention and nothing warns.'),
  ledger: z
    .object({
      path: z.string().describe('Its file.'),
      exists: z.boolean().describe('Whether the file is there.'),
      engine: z.string().optional().describe('Such as `sqlite`.'),
      id: z.string().optional().describe('Its id.'),
      schema: count.optional().describe('The version of its tables.'),
      bytes: count.optional().describe('Its size, in bytes.'),
      freeBytes: count.optional().describe('How many of them are free for new messages.'),
      canShrink: z
        .boolean()
        .optional()
        .describe(
          'False: freed space stays in the file until `doctor --fix`, or a start of the daemon, has written it anew.',
        ),
      agents: count.optional().describe('How many agents it knows.'),
      messages: z
        .record(z.string(), count)
        .readonly()
        .optional()
        .describe('How many messages it holds, by state.'),
    })
    .describe('The ledger.'),
  problems: findings.describe('What is broken (exit 1).'),
  attention: findings.describe(
    'What needs you: dead letters, uncertain messages, agents that have lost their tools, a state folder into which no byte can be written (exit 7).',
  ),
  fixed: words.describe('What `--fix` has fixed.'),
});

/**
 * An inbox whose oldest message has been open for 3 minutes, or that a budget holds back. Exit
 * codes do not change by it.
 */
export const waitingInboxSchema = findingSchema.extend({
  agent: named(agentNameSchema, 'Whose inbox it is.'),
  message: z.string().describe('Its oldest message: `msg_…`.'),
  since: time.describe('Since when that has been open.'),
  until: time.optional().describe('When a budget lets it go.'),
});

export const backendReportSchema = z.object({
  backend: z.string().describe('`tmux` or `herdr`.'),
  version: z
    .string()
    .optional()
    .describe('Absent when it is not installed, or when its server does not run.'),
  crashes: words.describe('What this version crashes on; signalbox never does it.'),
  limits: words.describe('What agents in it do without, and why.'),
});

/** Of the default backend. */
export const terminalsReportSchema = backendReportSchema.extend({
  agents: z
    .record(z.string(), count)
    .readonly()
    .describe('How many agents run in each backend, as far as the ledger knows.'),
  others: z.array(backendReportSchema).readonly().describe('Other backends that agents run in.'),
});

/** Supervisor and workers were all of this CLI. */
export const teamReportSchema = z.object({
  day: z.string().describe('When the lab tried it.'),
  version: z.string().describe('The version of the CLI.'),
  passed: count.describe('Cases that passed.'),
  tried: count.describe('Cases that were tried.'),
  toolsWithoutDialog: z.boolean().describe('It calls our tools without asking a person.'),
  medianMs: z
    .number()
    .optional()
    .describe(
      "From the end of a worker's answer to its supervisor's next model request, in ms, in the median.",
    ),
  handoffMs: z
    .number()
    .describe('How long a handoff waits before the answer comes as a message, in ms.'),
  routes: words.describe('Ways in, best first.'),
  prompts: words.describe(
    "Of these, the ways by which the model reads the user's words as a prompt.",
  ),
  evidence: z.string().describe('What proves that a message was read.'),
  notPassed: z
    .record(z.string(), z.string())
    .readonly()
    .describe('Cases that did not pass, each with what was seen.'),
});

/** One version of a CLI in the lab's cases for older versions. */
const trialReportSchema = z.object({
  version: z.string().describe('The version of the CLI.'),
  day: z.string().describe('When the lab tried it.'),
  held: count.describe('Cases that hold.'),
  cases: count.describe('Cases that were tried.'),
  notHeld: z
    .record(z.string(), z.string())
    .readonly()
    .describe('Cases that do not hold, or cannot be asked for, each with what was seen.'),
});

/** A file of the user's with detector rules and capabilities. */
export const dataReportSchema = z.object({
  path: z.string().describe('The file.'),
  version: z.string().optional().describe('The name that the file gives to itself.'),
  sha256: z.string().describe('Of its bytes, in hex.'),
  rules: words.describe('Names of the rules that it adds or replaces.'),
  capabilities: words.describe('Names of the capabilities that it changes.'),
  loosens: words.describe('What it makes less careful; each is also a warning.'),
});

export const providerReportSchema = z.object({
  path: z.string().optional().describe('Its program; absent when it is not installed.'),
  version: z.string().optional().describe('Its version.'),
  tested: z.string().describe('The version that its rules were tested with.'),
  data: dataReportSchema
    .optional()
    .describe('The file of yours that lies over the built-in rules; absent when none is used.'),
  team: teamReportSchema
    .optional()
    .describe('What it does in a team, as the lab has seen it; absent when nothing was tried.'),
  tried: z
    .array(trialReportSchema)
    .readonly()
    .describe('Other versions that the lab has tried, oldest first.'),
  warning: findingSchema
    .optional()
    .describe(
      'The installed version is another than the tested one, and not all cases were seen to hold in it.',
    ),
});

export const stateFolderReportSchema = z.object({
  path: z.string().describe('The folder.'),
  exists: z.boolean().describe('Whether it is there.'),
  canWrite: z
    .boolean()
    .optional()
    .describe(
      'A byte was written into it and removed; of a folder that is not there, that it could be made. Absent when that was not tried, since others can change the folder.',
    ),
});

export const doctorReportSchema = ledgerReportSchema.extend({
  stateFolder: stateFolderReportSchema.describe('Where the ledger, the logs and the socket lie.'),
  terminals: terminalsReportSchema.describe('The default backend.'),
  providers: z.record(z.string(), providerReportSchema).readonly().describe('By name, the CLIs.'),
  waiting: z
    .array(waitingInboxSchema)
    .readonly()
    .describe(
      'Inboxes whose oldest message has been open for 3 minutes, or that a budget holds back.',
    ),
  warnings: findings.describe(
    'Other findings: a detector file that is left out or makes us less careful, an error of ours that was caught.',
  ),
  questions: findings.describe('What CLIs ask a person; their agents wait.'),
  worktrees: findings.describe(
    'Worktrees that were kept when their agents went, or that a killed launch left; nothing is wrong with them.',
  ),
});
