import type { Role } from '../../src/agents/role.ts';
import { type HookCommand, writeHookCommand } from '../../src/providers/hook-command.ts';
import type { LaunchRequest, ToolServer } from '../../src/providers/launch-plan.ts';

/** What is installed as a hook, with a script named `post`. */
export const hookCommand: HookCommand = (event, wish) => writeHookCommand('post', event, wish);

/**
 * The first life of an agent for which a person asked nothing special; `wish` says what is
 * different.
 */
export function launchRequest(wish: Partial<LaunchRequest>): LaunchRequest {
  return {
    agent: { id: 'agt_1', name: 'worker' },
    epoch: 1,
    executablePath: '/bin/agent',
    version: undefined,
    cwd: '/srv/app',
    model: undefined,
    role: {},
    tools: undefined,
    extraArgs: [],
    resume: undefined,
    runFolder: '/run/agt_1-1',
    env: {},
    hookCommand,
    newConversation: 'new',
    freePort: 40_001,
    ...wish,
  };
}

/**
 * What says to our MCP server whom it acts for; the value of the token must stand nowhere in a plan
 * (rule 40).
 */
export const identity = { SIGNALBOX_SOCKET: '/run/socket', SIGNALBOX_TOKEN: 'tok_secret' };

/** Our MCP server as the daemon describes it, over stdio. */
export const toolServer: ToolServer = {
  command: '/bin/node',
  args: ['/opt/mcp.cjs'],
  // The last one is not always set.
  variables: ['SIGNALBOX_SOCKET', 'SIGNALBOX_TOKEN', 'SIGNALBOX_HOME'],
  timeoutMs: 120_000,
};

export const httpToolServer: ToolServer = {
  ...toolServer,
  http: { url: 'http://127.0.0.1:4000/mcp', tokenVariable: 'SIGNALBOX_TOKEN' },
};

/** What a profile may ask for, but for a mode of permission. */
export const fullRole: Role = {
  instructions: 'You review.\nYou say "so".',
  allowedTools: ['one', 'two'],
  mcpServers: {
    files: { command: 'serve', args: ['-x'], env: { KEY: 'value' } },
    web: { url: 'http://127.0.0.1:5000/', headers: { 'X-Key': 'value' } },
    signalbox: { command: 'someone-else' },
  },
};
