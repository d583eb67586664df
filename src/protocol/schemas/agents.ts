import { z } from '@hono/zod-openapi';
import type { AgentStatus } from '../../agents/agent.ts';
import type { EndedBy } from '../../agents/ending.ts';
import type { EndingCode } from '../../agents/ending-code.ts';
import type { Composer, StatusSource } from '../../agents/status.ts';
import { faultWordsSchema } from './fault.ts';
import { interruptionSchema } from './interruption.ts';
import { named } from './meaning.ts';
import { questionSchema } from './question.ts';
import { agentId, count, messageId, time, waitCodeSchema, words } from './values.ts';

const namesakes = z
  .literal(true)
  .optional()
  .describe(
    'Other living agents have this name, in other sessions: its full name, `session/name`, means it everywhere.',
  );

/** Of the version of a CLI. */
export const versionWarningSchema = z
  .object({
    what: z.string().describe('Which version it is, and which one was tried.'),
    next: z.string().describe('What to do about it.'),
  })
  .openapi('VersionWarning');

/** How every document names an agent. */
export const agentNameSchema = z
  .object({
    id: agentId.describe('`agt_…`; it never changes and is never given to another agent.'),
    name: z.string().describe('What people call it.'),
    session: z
      .string()
      .optional()
      .describe(
        'The session in which it has that name. Senders, recipients and parents always have it, but for signalbox itself and agents that are forgotten.',
      ),
    namesakes,
  })
  .openapi('AgentName');

export const statuses = [
  'starting',
  'idle',
  'processing',
  'waiting',
  'completed',
  'error',
  'exited',
  'unknown',
] as const satisfies readonly AgentStatus[];

export const composers = [
  'empty',
  'blank',
  'draft',
  'hidden',
  'unknown',
] as const satisfies readonly Composer[];

const endedByWords = ['task', 'rest', 'parent', 'person'] as const satisfies readonly EndedBy[];

const endingCodes = [
  'at-work',
  'owes',
  'answer-unread',
  'awaits',
  'mail',
  'children',
  'background',
  'attached',
  'draft',
  'settling',
  'resting',
  'idle-stop-off',
  'ends-now',
  'ended-with-task',
  'ended-at-rest',
  'stopped-by-parent',
  'coming-back',
  'no-room',
] as const satisfies readonly EndingCode[];

const sources = [
  'process',
  'state',
  'hook',
  'screen',
  'backend',
  'none',
] as const satisfies readonly StatusSource[];

export const missingRouteSchema = z
  .object({
    route: z.string().describe('The route that is missing.'),
    why: z.string().describe('Why it is missing.'),
  })
  .openapi('MissingRoute');

const worktreeSchema = z.object({
  path: z.string().describe('Its folder.'),
  branch: z.string().describe('Its branch.'),
  repository: z.string().describe('The repository from which it was made.'),
  base: z.string().describe('The commit it began with.'),
});

const inboxSchema = z.object({
  queued: count.describe('Messages that wait.'),
  claimed: count.describe('Messages that a route holds right now.'),
  injected: count.describe('Messages that were handed over and are not proven to be read.'),
  uncertain: count.describe('Messages of which nobody knows whether they were read.'),
  dead: count.describe('Messages that could not be delivered.'),
});

/** One task that an agent owes an answer. */
const debtSchema = z.object({
  task: messageId.describe('The message that gave it the task.'),
  to: named(agentNameSchema, 'Who gave the task.'),
  about: z
    .string()
    .optional()
    .describe('The first words of the task. An agent sees them of its own debts and tasks.'),
  since: time.describe('When it was given.'),
  reminded: z.literal(true).optional().describe('The agent was reminded of it.'),
});

const madeAnswerSchema = z.object({
  question: z.string().describe('The name of the question.'),
  decision: z.enum(['allow', 'deny']).describe('What was decided.'),
  outcome: z
    .enum(['deciding', 'taken', 'gone', 'refused', 'unknown'])
    .describe(
      '`taken`: its CLI has confirmed it; `gone`: it was answered elsewhere before; `refused`: it did not get there; `deciding`: it is on its way.',
    ),
  by: agentNameSchema.describe('Who decided: the user, or a supervisor that the user has named.'),
  who: z.string().optional().describe('Of the user: the account and the terminal.'),
  place: z
    .enum(['terminal', 'dashboard', 'command', 'tool'])
    .describe('From where: `command` and `tool` are a supervisor’s.'),
  at: time.describe('When.'),
});

export const agentSchema = z
  .object({
    id: agentId.describe('`agt_…`'),
    name: z.string().describe('What people call it.'),
    session: z.string().describe('The group it works in.'),
    namesakes,
    provider: z
      .string()
      .describe('The adapter of its CLI; `none` for an agent that pulls its messages itself.'),
    backend: z.string().describe('Where its terminal lives: `tmux`, `herdr`; `none` without one.'),
    epoch: count.describe('Which life of its process this is; 0 before the first.'),
    status: z.enum(statuses).describe('What it does now.'),
    detail: z.string().optional().describe('More about the status, such as `permission`.'),
    source: z.enum(sources).describe('Where the status comes from, best first.'),
    since: time.describe('Since when it has this status.'),
    parent: named(agentNameSchema, 'Who gets its completions.').optional(),
    profile: z.string().optional().describe('The profile it was launched by.'),
    cwd: z.string().describe('The folder it works in.'),
    worktree: worktreeSchema.optional().describe('The git worktree that was made for it.'),
    inbox: inboxSchema.describe('How many messages its inbox holds, by state.'),
    owes: z
      .array(debtSchema)
      .readonly()
      .optional()
      .describe('Tasks it was given and has not answered.'),
    held: z
      .object({
        until: time.describe('When the budget lets them go.'),
        why: z.string().describe('Which budget is spent.'),
      })
      .optional()
      .describe('A spent budget keeps its messages from beginning a turn (rule 21).'),
    question: z
      .string()
      .optional()
      .describe(
        'While it is `waiting`: what its CLI asks you, in its own words, or as its screen shows it. An agent sees it of those below it alone. Only the daemon knows it, as the rest below.',
      ),
    questions: z
      .array(questionSchema)
      .readonly()
      .optional()
      .describe(
        'What it asks and `signalbox answer` can answer, the oldest first. No agent sees them: a supervisor that you have named asks for them.',
      ),
    answers: z
      .array(madeAnswerSchema)
      .readonly()
      .optional()
      .describe(
        'The last decisions about what it asked, the newest first; of one agent alone, and not for other agents.',
      ),
    interruptions: z
      .array(interruptionSchema)
      .readonly()
      .optional()
      .describe(
        'Who has ended turns of it by `interrupt`, the newest first; of one agent alone, and not for other agents.',
      ),
    composer: z.enum(composers).optional().describe('What stands in its input line.'),
    humanTypedAt: time.optional().describe('When a person last typed in its terminal.'),
    providerVersion: z.string().optional().describe('The version of its CLI.'),
    conversation: z.string().optional().describe('The session id that its CLI uses.'),
    exitCode: count.optional().describe('With which code its process ended.'),
    exitSignal: z.string().optional().describe('By which signal its process ended.'),
    routes: words.optional().describe('Ways into it, best first.'),
    lacks: z
      .array(missingRouteSchema)
      .readonly()
      .optional()
      .describe('Ways that it lacks, each with the reason.'),
    broken: z
      .string()
      .optional()
      .describe(
        'Its standing channel is gone and not up again yet: why, and whether it can be woken all the same (rule 53).',
      ),
    unwoken: z
      .string()
      .optional()
      .describe(
        'No message begins a turn of it while it is at rest: why, until when messages wait, and what helps.',
      ),
    versionWarning: named(
      versionWarningSchema,
      'While it runs: the lab has not tried the version of its CLI, or has seen a case fail in it.',
    ).optional(),
    endedBy: z
      .enum(endedByWords)
      .optional()
      .describe(
        'Who or what ended its last life: `task`, its work was done; `rest`, a long rest; `parent`, an agent above it; `person`, the user. The first three come back when they get a message or task from their parent or the user.',
      ),
    ending: z
      .string()
      .optional()
      .describe(
        'Of an agent that was launched for a task: when it stops by itself, why it is kept, or what brings it back.',
      ),
    endingCode: z.enum(endingCodes).optional().describe('The same as a code.'),
    waitsFor: z.string().optional().describe('Why the first message of its inbox waits.'),
    waitsForCode: named(waitCodeSchema, 'The same as a code.').optional(),
    notes: words.optional().describe('Remarks that a person should know.'),
  })
  .openapi('Agent');

export const agentListSchema = z
  .object({ agents: z.array(agentSchema).readonly().describe('The agents.') })
  .openapi('AgentList');

/** One of several that were asked for together. */
export const failedSchema = agentNameSchema.extend({
  error: faultWordsSchema.describe('Why it failed.'),
});

export const removedSchema = agentNameSchema.extend({
  settled: count.describe('Messages that became dead; their senders were told.'),
  maybeRead: count.describe('How many of these may have been read; the others never were.'),
  read: count.describe('Open messages that its records prove to have been read.'),
  troubles: words.optional().describe('Steps of the removal that failed; the others were done.'),
  worktree: z
    .object({
      path: z.string().describe('Its folder.'),
      branch: z.string().describe('Its branch.'),
      outcome: z
        .enum(['removed', 'kept'])
        .describe('`kept`: something in it would have been lost.'),
      reason: z.string().optional().describe('Why it is kept.'),
    })
    .optional()
    .describe('What became of its git worktree.'),
});

export const removeResultSchema = z
  .object({
    removed: z.array(removedSchema).readonly().describe('The agents that were removed.'),
    failed: z
      .array(failedSchema)
      .readonly()
      .optional()
      .describe('Those of several that could not be removed; the others are gone.'),
  })
  .openapi('RemoveResult');
