import { join } from 'node:path';
import type { Permission } from '../../agents/permission.ts';
import { noteLacks } from '../lacks.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { chooseModeArgs, type Modes, readModeOption } from '../modes.ts';
import { hasOption } from '../options.ts';
import { limitOf, listServers, ownServer, type Server } from '../servers.ts';

/**
 * Of 2.1.325. `dontAsk` refuses what `default` would ask for, and still takes what is allowed by
 * name; without the tools that edit it only reads. `plan` asks for each call of our tools, allowed
 * or not, so it is used only by its name. `auto` lets a classifier decide, and commands run
 * unasked.
 */
export const modes: Modes = {
  'read-only': {
    permission: 'read-only',
    args: [
      ...['--permission-mode', 'dontAsk'],
      ...['Edit', 'Write', 'NotebookEdit'].map((tool) => `--disallowedTools=${tool}`),
    ],
  },
  plan: mode('plan', 'read-only'),
  default: mode('default', 'ask'),
  manual: mode('manual', 'ask'),
  dontAsk: mode('dontAsk', 'ask'),
  acceptEdits: mode('acceptEdits', 'edit'),
  bypassPermissions: mode('bypassPermissions', 'all'),
  auto: mode('auto', 'all'),
};

/**
 * What tools and role add to a start. Servers stand beside the user's own: without
 * `--strict-mcp-config` all are there. Options that take several values are written with `=`: else
 * they would swallow a prompt that follows (2.1.325).
 */
export function planRole(
  request: LaunchRequest,
  person: readonly string[],
): { readonly args: readonly string[] } & Pick<LaunchPlan, 'files' | 'lacks'> {
  const { role, tools, runFolder } = request;
  const servers = listServers(request, (variable) => `\${${variable}}`);
  const allowed = [...(tools ? [`mcp__${ownServer}__*`] : []), ...(role.allowedTools ?? [])];
  const mayAppend = !hasOption(person, ['--append-system-prompt', '--append-system-prompt-file']);
  const said = mayAppend ? role.instructions : undefined;
  return {
    args: [
      ...(servers.length === 0 ? [] : [`--mcp-config=${join(runFolder, serversFile)}`]),
      ...allowed.map((tool) => `--allowedTools=${tool}`),
      ...(said === undefined ? [] : ['--append-system-prompt-file', join(runFolder, roleFile)]),
      ...(hasOption(person, permissionOptions)
        ? []
        : chooseModeArgs(modes, role, '--permission-mode')),
    ],
    files: [
      ...(servers.length === 0 ? [] : [{ path: serversFile, text: write(request, servers) }]),
      ...(said === undefined ? [] : [{ path: roleFile, text: `${said}\n` }]),
    ],
    ...noteLacks(request, mayAppend ? [] : ['instructions']),
  };
}

export function readPermission(extraArgs: readonly string[]): Permission | undefined {
  const bypasses = ['--dangerously-skip-permissions'];
  return readModeOption(modes, extraArgs, { option: '--permission-mode', bypasses });
}

const serversFile = 'mcp.json';
const roleFile = 'role.md';
const permissionOptions = ['--permission-mode', '--dangerously-skip-permissions'];

function mode(name: string, permission: Modes[string]['permission']): Modes[string] {
  return { permission, args: ['--permission-mode', name] };
}

function write(request: LaunchRequest, servers: readonly (readonly [string, Server])[]): string {
  const described = servers.map(([name, server]) => {
    const { kind, ...where } = server;
    // Otherwise a model must first search for them.
    const loaded = name === ownServer ? { alwaysLoad: true } : {};
    return [name, { type: kind, ...where, ...limitOf(name, request, 'timeout'), ...loaded }];
  });
  return `${JSON.stringify({ mcpServers: Object.fromEntries(described) }, undefined, 2)}\n`;
}
