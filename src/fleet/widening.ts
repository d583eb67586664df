import { realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Permission } from '../agents/permission.ts';
import type { Provider } from '../providers/provider.ts';
import { quote } from '../shared/quote.ts';
import { findForbidden } from '../trust/forbidden-variables.ts';
import { checkModel } from './check-model.ts';
import type { WantedLaunch } from './fleet.ts';
import { type Holder, readMode } from './permission-holder.ts';

/**
 * What is asked for, whichever way: by a tool, over HTTP or on the command line, by a profile or by
 * a field of the request.
 */
export type Asked = Pick<WantedLaunch, 'role' | 'extraArgs' | 'extraEnv' | 'model'> &
  Partial<Pick<WantedLaunch, 'cwd' | 'session' | 'worktree'>>;

/** How much one field counts as, and how a refusal names it. */
export interface Counted {
  readonly permission: Permission;
  readonly what: string;
}

type Count = (asked: Asked, above: Holder, provider: Provider) => Counted | undefined;

/**
 * The one table of what widens. Each field of a launch that can let a child do more than its
 * launcher may is counted on the scale of permission; what counts as more than the launcher has is
 * refused. `all` is whatever decides what is executed, what is read as settings, or where the child
 * works. Fields that are not here widen nothing; test/contracts/permission-ceiling-fields.test.ts
 * says of each why, and fails for a field that is in neither table.
 */
export const widening: Readonly<Record<string, Count>> = {
  // Nobody can tell what they mean for every CLI and version.
  extraArgs: ({ extraArgs }) =>
    extraArgs.length === 0 ? undefined : all('an argument for the CLI itself'),
  model: ({ model }) =>
    checkModel(model) === undefined ? undefined : all(`the model ${quote(model ?? '', 40)}`),
  env: ({ extraEnv }) => {
    for (const name of Object.keys(extraEnv)) {
      const why = findForbidden(name);
      if (why !== undefined) return all(`the variable ${quote(name, 40)}, which ${why},`);
    }
    return undefined;
  },
  mcpServers: ({ role }, { agent }) => {
    const own = agent.role?.mcpServers ?? {};
    const added = Object.entries(role.mcpServers ?? {}).find(
      ([name, server]) => !Object.hasOwn(own, name) || !isDeepStrictEqual(own[name], server),
    );
    return added && all(`the MCP server ${quote(added[0], 40)}, which you do not have yourself,`);
  },
  allowedTools: ({ role }, { agent }) => {
    const added = role.allowedTools?.find((tool) => !agent.role?.allowedTools?.includes(tool));
    return added === undefined
      ? undefined
      : all(`allowing ${added}, which you are not allowed yourself,`);
  },
  permissionMode: ({ role: { permissionMode: mode } }, _, { capabilities }) =>
    mode === undefined
      ? undefined
      : {
          permission: readMode(capabilities.permissions, mode) ?? 'all',
          what: `the mode ${quote(mode, 40)}`,
        },
  permission: ({ role: { permission, permissionMode } }) =>
    permission === undefined || permissionMode !== undefined
      ? undefined
      : { permission, what: `the permission \`${permission}\`` },
  // The words of whoever launches it would stand there as the user's.
  takesTasksAsPrompts: ({ role }) =>
    role.takesTasksAsPrompts ? all('taking its tasks as prompts of the user') : undefined,
  // A CLI reads unasked, and with `edit` writes, in its working folder, and takes settings from it
  // once a person trusts that.
  cwd: ({ cwd }, { folder }) =>
    cwd === undefined || isSameFolder(cwd, folder)
      ? undefined
      : all(`another folder than your own (${quote(folder, 200)})`),
  session: countSession,
  // Writes into the repository, and git runs its hooks.
  worktree: ({ worktree }) =>
    worktree ? { permission: 'ask', what: 'a worktree, which is written,' } : undefined,
};

/** Agents of one session read each other's output. */
export function countSession(
  { session }: Pick<Asked, 'session'>,
  { agent }: Pick<Holder, 'agent'>,
): Counted | undefined {
  return session === undefined || session === agent.session
    ? undefined
    : all(`another session than your own (${quote(agent.session)})`);
}

function all(what: string): Counted {
  return { permission: 'all', what };
}

function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    // One of them is not there: whether it is the same cannot be told, and a launch there fails
    // anyway.
    return false;
  }
}
