import { join } from 'node:path';
import { asArray, asObject, type Json, parseObject } from '../../shared/json.ts';
import { noteLacks } from '../lacks.ts';
import type { Lack, LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { chooseMode, type Modes } from '../modes.ts';
import { limitOf, listServers, ownServer, type Server } from '../servers.ts';

/**
 * OpenCode has no modes but permissions by tool, which are configuration (1.18.33); these are named
 * as the scale names them. Its agent `plan` is none: it may not edit, but runs commands unless the
 * user forbids that.
 */
export const modes: Modes<{
  readonly permission: Modes[string]['permission'];
  readonly tools: Readonly<Record<string, 'allow' | 'ask' | 'deny'>>;
}> = {
  'read-only': { permission: 'read-only', tools: { edit: 'deny', bash: 'ask' } },
  ask: { permission: 'ask', tools: { edit: 'ask', bash: 'ask' } },
  edit: { permission: 'edit', tools: { edit: 'allow', bash: 'ask' } },
  all: { permission: 'all', tools: { edit: 'allow', bash: 'allow', external_directory: 'allow' } },
};

/**
 * What tools and role add to a start: configuration in a variable, which is merged with the user's
 * files and leaves them alone (1.18.33). There is one such variable: what a user has in it himself
 * is part of ours.
 */
export function planRole(request: LaunchRequest): Pick<LaunchPlan, 'env' | 'files' | 'lacks'> {
  const { role, tools, runFolder } = request;
  const servers = listServers(request, (variable) => `{env:${variable}}`);
  const chosen = chooseMode(modes, role);
  const missing: readonly Lack[] =
    role.permissionMode === undefined || chosen ? [] : ['permission'];
  const permission = {
    ...chosen?.tools,
    ...Object.fromEntries((role.allowedTools ?? []).map((tool) => [tool, 'allow'])),
    // Of several rules that fit the last one counts.
    ...(tools ? { [`${ownServer}_*`]: 'allow' } : {}),
  };
  const isEmpty =
    servers.length === 0 && role.instructions === undefined && Object.keys(permission).length === 0;
  const theirs = readContent(request.env[variable]);
  if (isEmpty || !theirs) {
    const all: readonly Lack[] = ['tools', 'instructions', 'allowedTools', 'mcpServers'];
    return {
      env: {},
      files: [],
      ...noteLacks(request, isEmpty ? missing : [...all, 'permission']),
    };
  }
  const content = {
    ...theirs,
    mcp: {
      ...asObject(theirs['mcp']),
      ...Object.fromEntries(
        servers.map(([name, server]) => [name, describe(request, name, server)]),
      ),
    },
    permission: { ...asPermissions(theirs['permission']), ...permission },
    ...(role.instructions === undefined
      ? {}
      : { instructions: [...asArray(theirs['instructions']), join(runFolder, roleFile)] }),
  };
  return {
    env: { [variable]: JSON.stringify(content) },
    files:
      role.instructions === undefined ? [] : [{ path: roleFile, text: `${role.instructions}\n` }],
    ...noteLacks(request, missing),
  };
}

const variable = 'OPENCODE_CONFIG_CONTENT';
const roleFile = 'role.md';

/**
 * Undefined for one that cannot be read: it stays in force, for OpenCode to complain about. One
 * that names our server was made for the agent that launched this one, and is not inherited.
 */
function readContent(text: string | undefined): Json | undefined {
  if (!text) return {};
  const content = parseObject(text);
  return ownServer in asObject(content?.['mcp']) ? {} : content;
}

/** One word for all tools is short for this. */
function asPermissions(theirs: unknown): Json {
  return typeof theirs === 'string' ? { '*': theirs } : asObject(theirs);
}

function describe(request: LaunchRequest, name: string, server: Server): object {
  const limit = limitOf(name, request, 'timeout');
  return server.kind === 'http'
    ? { type: 'remote', url: server.url, headers: server.headers, oauth: false, ...limit }
    : {
        type: 'local',
        command: [server.command, ...server.args],
        environment: server.env,
        ...limit,
      };
}
