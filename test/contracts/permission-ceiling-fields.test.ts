import { expect, test } from 'vitest';
import type { Role } from '../../src/agents/role.ts';
import { widening } from '../../src/fleet/widening.ts';
import { taskRequestSchema } from '../../src/protocol/schemas/tasks.ts';
import { launchSchema, restartSchema } from '../../src/protocol/schemas/terminals.ts';
import { assignTool } from '../../src/server/mcp/tools/assign.ts';
import { handoffTool } from '../../src/server/mcp/tools/handoff.ts';

/**
 * Fields of requests and roles that widen nothing, each with the reason; the others are in the
 * table of `fleet/widening.ts`.
 */
const harmless: Readonly<Record<string, string>> = {
  provider: 'its modes are counted; one without a mode that only reads is refused to readers',
  profile: 'what it sets is counted field by field; one of a project must be trusted (rule 46)',
  to: 'an agent that runs is given a task and changes in nothing; else as `profile`',
  name: 'letters, digits, dots, underscores and hyphens, and no hyphen first (`parseName`)',
  parent: 'descends from whoever asks, and its own permission is a limit as well (`checkTree`)',
  notify: 'who is told of its turns',
  terminal: 'which multiplexer shows it; the environment is filtered alike for each',
  env: 'of an agent it is not used: a child gets what its parent was launched with (rule 40)',
  umask: 'of an agent it is not used: a child gets its parent’s (rule 40)',
  message: 'words; checked like every body',
  task: 'words; checked like every body',
  key: 'a name for a repetition',
  timeout_seconds: 'how long the caller waits',
  fresh: 'begins a conversation instead of going on with its last one',
  instructions: 'words for the model, as a task is',
  profilePath: 'from where a restart reads `env` of the profile, which is counted then',
  trusted:
    'which bytes of a project’s profile the user had trusted, so that a restart can ask again',
  isOverHttp: 'the same tools on loopback, behind the same token',
  hasRemoteApprovals: 'only the user and whom the user names answer, wherever they do it (rule 54)',
  idleStopMs: 'after how long a rest a worker is stopped',
  handoff: 'that the caller waits, so that its worker ends with the answer',
  keep: 'that a worker runs on, which counts for the limit on children',
  launchesIn: 'of no profile: set for what an agent adds, from the folder of that agent',
};

/** What the table calls it. */
const asCounted: Readonly<Record<string, string>> = { extraEnv: 'env' };

/** The compiler finds a field of a role that is missing here. */
const role: Required<{ readonly [Key in keyof Role]: true }> = {
  ...{ profile: true, profilePath: true, trusted: true, instructions: true, permission: true },
  ...{ permissionMode: true, allowedTools: true, mcpServers: true, isOverHttp: true },
  ...{ launchesIn: true, takesTasksAsPrompts: true, idleStopMs: true },
  ...{ hasRemoteApprovals: true },
};

test('every field of every request by which an agent can start another is either counted or known to widen nothing', () => {
  const requests = {
    'POST /agents': Object.keys(launchSchema.shape),
    'POST /tasks': Object.keys(taskRequestSchema.shape),
    'POST /agents/X/restart': Object.keys(restartSchema.shape),
    assign: Object.keys(assignTool.input.shape),
    handoff: Object.keys(handoffTool.input.shape),
    'what a profile makes of it': Object.keys(role),
  };
  const known = (field: string) =>
    Object.hasOwn(harmless, field) || Object.hasOwn(widening, asCounted[field] ?? field);
  for (const [request, fields] of Object.entries(requests)) {
    expect([request, fields.filter((field) => !known(field))]).toEqual([request, []]);
  }
  const asked = new Set(Object.values(requests).flat());
  const counted = Object.keys(widening).filter((field) => field !== 'env');
  expect(counted.filter((field) => !asked.has(field))).toEqual([]);
  expect(Object.keys(harmless).filter((field) => !asked.has(field))).toEqual([]);
});
