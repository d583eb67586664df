import { z } from '@hono/zod-openapi';
import { count, time, words } from './values.ts';

/** What a file would make of a launch. */
export const trustChangesSchema = z.object({
  name: z.string().optional().describe('The name of the profile.'),
  provider: z.string().optional().describe('The provider.'),
  model: z.string().optional().describe('The model.'),
  permission: z.string().optional().describe('The permission, as the file names it.'),
  asksNobody: z.literal(true).optional().describe('It works without asking a person (rule 39).'),
  allowedTools: words.optional().describe('Tools that its agent may use.'),
  mcpServers: words
    .optional()
    .describe('MCP servers: `name: command and arguments`, or `name: address`.'),
  env: words.optional().describe('Names of variables that it sets.'),
  leftOut: words
    .optional()
    .describe('Names of variables that it would set and that never come from a working folder.'),
  worktree: z.boolean().optional().describe('Its agent gets a git worktree of its own.'),
  toolsOver: z.literal('http').optional().describe('Its agent gets our tools over HTTP.'),
  approvals: z
    .literal('remote')
    .optional()
    .describe('What it asks can be answered from elsewhere, also where that costs a question.'),
  instructions: count.optional().describe('Bytes of text for the model.'),
  patterns: words
    .optional()
    .describe('Of `.worktreeinclude`: patterns of files that are copied into worktrees.'),
});

/** One file of a working folder: whether the user trusts it as it is, and what it would change. */
export const trustSchema = z.object({
  path: z.string().describe('The file.'),
  kind: z.enum(['profile', 'claude-agent', 'worktree-list']).describe('What it is.'),
  state: z
    .enum(['trusted', 'new', 'changed', 'gone', 'broken', 'damaged'])
    .describe(
      '`new`: nobody has been asked; `changed` since it was trusted; `gone`: trusted, and not there any more; `broken`: it cannot be used; `damaged`: the record of its trust is, so the file is not trusted.',
    ),
  realPath: z.string().optional().describe('Where the path leads, if that is another place.'),
  outside: z.literal(true).optional().describe('That place is not in the project.'),
  sha256: z.string().optional().describe('The hash of its bytes.'),
  trustedAt: time.optional().describe('When it was trusted.'),
  by: z.string().optional().describe('Who trusted it, and from where.'),
  earlier: words
    .optional()
    .describe(
      'Hashes that were trusted under this path before, newest first: agents launched with them may be restarted.',
    ),
  trouble: z.string().optional().describe('Why it is broken or damaged.'),
  changes: trustChangesSchema.optional().describe('What it would change.'),
  diff: words
    .optional()
    .describe('Lines since it was trusted, each with `+`, `-` or a space before it.'),
});
