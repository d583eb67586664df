import { z } from '@hono/zod-openapi';
import type { Permission } from '../../agents/permission.ts';
import { words } from './values.ts';

const permissions = ['read-only', 'ask', 'edit', 'all'] as const satisfies readonly Permission[];

/** One profile, or a file that cannot be used as one. */
export const profileSchema = z.object({
  name: z.string().describe('Its name.'),
  origin: z.enum(['project', 'claude-agents', 'user', 'built-in']).describe('Where it comes from.'),
  path: z.string().describe('Its file.'),
  hidden: z
    .literal(true)
    .optional()
    .describe('A nearer one of the same name is used in its place.'),
  launchAs: z
    .string()
    .optional()
    .describe(
      "The name to launch it by, where the bare name is also another owner's: `project:reviewer`.",
    ),
  trusted: z
    .boolean()
    .optional()
    .describe("Of one of the project's: whether the user trusts it as it is now."),
  trouble: z.string().optional().describe('Why it cannot be used.'),
  description: z.string().optional().describe('What it is for.'),
  provider: z.string().optional().describe('The provider; the default where it names none.'),
  model: z.string().optional().describe('The model.'),
  role: z.string().optional().describe('The role.'),
  permission: z
    .enum(permissions)
    .optional()
    .describe('What its agent may do without asking a person.'),
  permissionMode: z.string().optional().describe("The CLI's own name of a mode."),
  allowedTools: words.optional().describe('Tools that its agent may use.'),
  mcpServers: words
    .optional()
    .describe('Names of its MCP servers; values are left out, since they may be secrets.'),
  env: words.optional().describe('Names of the variables that it sets.'),
  worktree: z.boolean().optional().describe('Its agent gets a git worktree of its own.'),
  notify: z.boolean().optional().describe('False: completions only for tasks.'),
  toolsOver: z.literal('http').optional().describe('Its agent gets our tools over HTTP.'),
  approvals: z
    .literal('remote')
    .optional()
    .describe('What it asks can be answered from elsewhere, also where that costs a question.'),
  tasks: z
    .literal('prompt')
    .optional()
    .describe('Tasks of its parent reach its agent as prompts, and not as notices.'),
  idleStop: z
    .string()
    .optional()
    .describe('How long a worker of it rests before it is stopped, such as `10m`; or `off`.'),
  tags: words.optional().describe('Its tags.'),
  unknown: z
    .record(z.string(), z.unknown())
    .readonly()
    .optional()
    .describe('Fields of the file that signalbox does not know.'),
  remarks: words.optional().describe('Parts that could be better; it can be used all the same.'),
  instructions: z.string().optional().describe('Its text, in `profile show`.'),
});
