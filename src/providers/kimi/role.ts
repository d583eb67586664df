import { join } from 'node:path';
import type { Permission } from '../../agents/permission.ts';
import { asObject, parseObject } from '../../shared/json.ts';
import { readFileTextSync } from '../../shared/open-file.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { chooseMode, type Modes } from '../modes.ts';
import { hasOption } from '../options.ts';
import { limitOf, listServers, ownServer, type Server } from '../servers.ts';

/**
 * Of 2.1.0. `manual` asks for commands, but edits in the git repository that it works in are made
 * unasked. `yolo` asks for what it finds risky. `plan` forbids edits, and is as strict with
 * commands as the mode below it. No argument stands for `manual`: it is set in the copy of the
 * configuration.
 */
export const modes: Modes = {
  plan: { permission: 'read-only', args: ['--plan'] },
  manual: { permission: 'edit', args: [] },
  yolo: { permission: 'all', args: ['--yolo'] },
  auto: { permission: 'all', args: ['--auto'] },
};

/**
 * What tools and role bring into the home of this run: a copy of the user's servers with ours, and
 * of his instructions with the role. Nothing allows our tools alone: rules of permission are read
 * from the configuration and never looked at, and hooks can only refuse (2.1.0). So a person is
 * asked, once for each tool and conversation where he says so.
 */
export function planRoleFiles(
  request: LaunchRequest,
  home: string,
): LaunchPlan['files'] | undefined {
  const { role } = request;
  const servers = listServers(request, () => '');
  const files: { path: string; text: string }[] = [];
  if (servers.length > 0) {
    const text = readOwn(join(home, serversFile));
    const theirs = text === '' ? {} : text === undefined ? undefined : parseObject(text);
    if (!theirs) return undefined;
    const described = servers.map(([name, server]) => [name, describe(request, name, server)]);
    const mcpServers = { ...asObject(theirs['mcpServers']), ...Object.fromEntries(described) };
    files.push({
      path: serversFile,
      text: `${JSON.stringify({ ...theirs, mcpServers }, undefined, 2)}\n`,
    });
  }
  if (role.instructions !== undefined) {
    const theirs = readOwn(join(home, instructionsFile));
    if (theirs === undefined) return undefined;
    const both = [theirs.trim(), role.instructions].filter((text) => text !== '');
    files.push({ path: instructionsFile, text: `${both.join('\n\n')}\n` });
  }
  return files;
}

/** A user whose own mode is another would get that one below `plan`, and for `manual`. */
export function askFirst({ role }: LaunchRequest, config: string): string {
  const mode = chooseMode(modes, role);
  if (mode !== modes['plan'] && mode !== modes['manual']) return config;
  const tables = config.search(/^[ \t]*\[/m);
  const top = tables < 0 ? config : config.slice(0, tables);
  const rest = tables < 0 ? '' : config.slice(tables);
  const others = top.replace(/^[ \t]*default_permission_mode[ \t]*=.*\r?\n?/gm, '');
  return `default_permission_mode = "manual"\n${others}${rest}`;
}

export function readPermission(extraArgs: readonly string[]): Permission | undefined {
  if (hasOption(extraArgs, ['--yolo', '-y', '--auto'])) return 'all';
  return hasOption(extraArgs, ['--plan']) ? 'read-only' : undefined;
}

const serversFile = 'mcp.json';
const instructionsFile = 'AGENTS.md';

/** It hands its whole environment on, so ours needs to be told nothing. */
function describe(request: LaunchRequest, name: string, server: Server): object {
  const isOurs = name === ownServer && request.tools !== undefined;
  const limit = limitOf(name, request, 'toolTimeoutMs');
  if (server.kind === 'http') {
    const variable = request.tools?.http?.tokenVariable;
    const headers = isOurs ? { bearerTokenEnvVar: variable } : { headers: server.headers };
    return { url: server.url, ...headers, ...limit };
  }
  const { command, args, env } = server;
  return { command, args, ...(isOurs ? {} : { env }), ...limit };
}

/** Empty when there is none; undefined when it cannot be read. */
function readOwn(path: string): string | undefined {
  try {
    return readFileTextSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : undefined;
  }
}
