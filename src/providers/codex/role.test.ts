import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import {
  fullRole,
  httpToolServer,
  identity,
  launchRequest,
  toolServer,
} from '../../../test/support/launch-request.ts';
import type { LaunchPlan } from '../launch-plan.ts';
import { planLaunch } from './launch.ts';
import { readPermission } from './role.ts';

const request = launchRequest({
  executablePath: '/bin/codex',
  version: '0.166.0',
  tools: toolServer,
  env: { CODEX_HOME: '/nowhere', ...identity },
});

test('rule 39: the server of this run knows our tools, allowed by name; the terminal is told nothing', () => {
  const plan = planLaunch(request);
  expect(plan.argv.join(' ')).not.toMatch(/mcp_servers/);
  expect(settingsOf(plan)).toEqual([
    'mcp_servers.signalbox.command="/bin/node"',
    'mcp_servers.signalbox.args=["/opt/mcp.cjs"]',
    'mcp_servers.signalbox.env_vars=["SIGNALBOX_SOCKET", "SIGNALBOX_TOKEN"]',
    'mcp_servers.signalbox.default_tools_approval_mode="approve"',
    'mcp_servers.signalbox.tool_timeout_sec=120',
    'mcp_servers.signalbox.startup_timeout_sec=30',
  ]);
  expect(JSON.stringify(plan)).not.toContain(identity.SIGNALBOX_TOKEN);
  expect(settingsOf(planLaunch({ ...request, tools: httpToolServer }))).toEqual([
    'mcp_servers.signalbox.url="http://127.0.0.1:4000/mcp"',
    'mcp_servers.signalbox.bearer_token_env_var="SIGNALBOX_TOKEN"',
    'mcp_servers.signalbox.default_tools_approval_mode="approve"',
    'mcp_servers.signalbox.tool_timeout_sec=120',
    'mcp_servers.signalbox.startup_timeout_sec=30',
  ]);
});

test('a plain start gets the same; another subcommand gets nothing', () => {
  const plain = planLaunch({ ...request, extraArgs: ['-C', '/elsewhere'] });
  expect(plain.argv.slice(2, 4)).toEqual(['-c', 'mcp_servers.signalbox.command="/bin/node"']);
  expect(planLaunch({ ...request, extraArgs: ['login'] }).argv).toEqual(['/bin/codex', 'login']);
});

test('a role’s servers come with it; names that cannot be spelled and tools are said to be lacking', () => {
  const mcpServers = { ...fullRole.mcpServers, 'a.b': { command: 'x' } };
  const plan = planLaunch({ ...request, role: { ...fullRole, mcpServers } });
  const settings = settingsOf(plan);
  expect(settings).toContain('mcp_servers.files.env={ "KEY" = "value" }');
  expect(settings).toContain('mcp_servers.web.http_headers={ "X-Key" = "value" }');
  expect(settings.join(' ')).not.toMatch(/someone-else|a\.b/);
  expect(settings.filter((line) => line.includes('approval_mode'))).toHaveLength(1);
  expect(plan.lacks).toEqual(['allowedTools', 'mcpServers']);
});

test('the user’s own instructions are joined with the role’s, or stay alone', () => {
  const home = tempHome();
  const env = { CODEX_HOME: home };
  const role = { instructions: 'ours "so"' };
  const told = (extraArgs: readonly string[] = []): LaunchPlan =>
    planLaunch({ ...request, tools: undefined, env, role, extraArgs });
  expect(settingsOf(told())).toEqual(['developer_instructions="ours \\"so\\""']);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.toml'), 'developer_instructions = "his"\n');
  expect(settingsOf(told())).toEqual(['developer_instructions="his\\n\\nours \\"so\\""']);
  expect(told(['-c', 'developer_instructions="x"']).lacks).toEqual(['instructions']);
  writeFileSync(join(home, 'config.toml'), 'developer_instructions = 5\n');
  expect(told()).toMatchObject({ lacks: ['instructions'] });
  expect(settingsOf(told())).toEqual([]);
});

test('rule 39: a mode is sandbox and approval, for the terminal program; a person’s own wins', () => {
  const argv = (role: object, extraArgs: readonly string[] = []): string =>
    planLaunch({ ...request, role, extraArgs })
      .argv.slice(3)
      .join(' ');
  expect(argv({})).toBe('');
  expect(argv({ permission: 'read-only' })).toBe('-s read-only -a never');
  expect(argv({ permission: 'ask' })).toBe('-s read-only -a on-request');
  expect(argv({ permission: 'edit' })).toBe('-s workspace-write -a on-request');
  expect(argv({ permission: 'all' })).toBe('-s danger-full-access -a never');
  expect(argv({ permission: 'all' }, ['-s', 'read-only'])).toBe('-s read-only');
  const unknown = planLaunch({ ...request, role: { permissionMode: 'acceptEdits' } });
  expect(unknown.lacks).toEqual(['permission']);
});

test('what a person’s own arguments let it do is known', () => {
  expect(readPermission(['-a', 'never'])).toBeUndefined();
  expect(readPermission(['-s', 'read-only'])).toBe('ask');
  expect(readPermission(['-s', 'read-only', '-a', 'never'])).toBe('read-only');
  expect(readPermission(['--sandbox=workspace-write'])).toBe('edit');
  expect(readPermission(['-s', 'later'])).toBe('all');
  expect(readPermission(['--dangerously-bypass-approvals-and-sandbox'])).toBe('all');
});

function settingsOf({ helpers }: LaunchPlan): readonly string[] {
  const argv = helpers[0]?.argv ?? [];
  const settings = argv.slice(1, argv.indexOf('app-server'));
  expect(settings.filter((_, at) => at % 2 === 0).every((word) => word === '-c')).toBe(true);
  return settings.filter((_, at) => at % 2 === 1);
}
