import { join } from 'node:path';
import type { Permission } from '../../agents/permission.ts';
import { noteLacks } from '../lacks.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { chooseMode, type Modes } from '../modes.ts';
import { hasOption } from '../options.ts';
import { limitOf, listServers, ownServer, type Server } from '../servers.ts';

/**
 * Of 1.0.102. Its `--mode` says how it works, not what it may do; that is said by kinds of tools,
 * so these names are the scale's but for the last.
 */
export const modes: Modes = {
  'read-only': { permission: 'read-only', args: ['--deny-tool=write'] },
  ask: { permission: 'ask', args: [] },
  edit: { permission: 'edit', args: ['--allow-tool=write'] },
  'allow-all': { permission: 'all', args: ['--allow-all'] },
};

/**
 * What tools and role add to a start. Servers stand beside the user's own. Options that take
 * several values are written with `=`: else they would swallow what follows (1.0.102).
 */
export function planRole(
  request: LaunchRequest,
  person: readonly string[],
): { readonly args: readonly string[] } & Pick<LaunchPlan, 'env' | 'files' | 'lacks'> {
  const { role, tools, runFolder, env } = request;
  const servers = listServers(request, (variable) => `\${${variable}}`);
  const allowed = [...(tools ? [ownServer] : []), ...(role.allowedTools ?? [])];
  const isChosen = hasOption(person, bypasses);
  const chosen = chooseMode(modes, role);
  const isUnknown = role.permissionMode !== undefined && !chosen;
  return {
    args: [
      ...(servers.length === 0 ? [] : [`--additional-mcp-config=@${join(runFolder, serversFile)}`]),
      ...allowed.map((tool) => `--allow-tool=${tool}`),
      ...(isChosen ? [] : (chosen?.args ?? [])),
    ],
    env: role.instructions === undefined ? {} : addFolder(env, join(runFolder, roleFolder)),
    files: [
      ...(servers.length === 0 ? [] : [{ path: serversFile, text: write(request, servers) }]),
      ...(role.instructions === undefined
        ? []
        : [{ path: roleFile, text: `---\napplyTo: "**"\n---\n\n${role.instructions}\n` }]),
    ],
    ...noteLacks(request, isUnknown && !isChosen ? ['permission'] : []),
  };
}

/** Rules for single tools are the person's own, and say nothing about the rest. */
export function readPermission(extraArgs: readonly string[]): Permission | undefined {
  return hasOption(extraArgs, bypasses) ? 'all' : undefined;
}

const bypasses = ['--allow-all', '--yolo', '--allow-all-tools'];
const serversFile = 'mcp.json';
const roleFolder = 'role';
/** Found in such a folder alone, and read for all files (1.0.102). */
const roleFile = `${roleFolder}/.github/instructions/signalbox-role.instructions.md`;
const foldersVariable = 'COPILOT_CUSTOM_INSTRUCTIONS_DIRS';

function addFolder(env: LaunchRequest['env'], folder: string): Readonly<Record<string, string>> {
  const theirs = (env[foldersVariable] ?? '').split(',').filter((one) => one.trim() !== '');
  return { [foldersVariable]: [...theirs, folder].join(',') };
}

function write(request: LaunchRequest, servers: readonly (readonly [string, Server])[]): string {
  const described = servers.map(([name, server]) => {
    const { kind, ...where } = server;
    const type = kind === 'stdio' ? 'local' : kind;
    return [name, { type, ...where, tools: ['*'], ...limitOf(name, request, 'timeout') }];
  });
  return `${JSON.stringify({ mcpServers: Object.fromEntries(described) }, undefined, 2)}\n`;
}
