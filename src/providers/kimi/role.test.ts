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
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { planLaunch } from './launch.ts';
import { readPermission } from './role.ts';

test('our tools stand in a copy of the user’s servers, without a word about its identity (rule 40)', () => {
  const plan = usedPlan({ 'mcp.json': '{"mcpServers":{"mine":{"command":"his"}},"x":1}' });
  const made = plan({});
  expect(JSON.parse(fileOf(made, 'mcp.json'))).toEqual({
    x: 1,
    mcpServers: {
      mine: { command: 'his' },
      signalbox: { command: '/bin/node', args: ['/opt/mcp.cjs'], toolTimeoutMs: 120_000 },
    },
  });
  expect(made.overlays?.[0]?.except).toEqual(['config.toml', 'mcp.json']);
  expect(JSON.stringify(made)).not.toContain(identity.SIGNALBOX_TOKEN);
  expect(JSON.parse(fileOf(plan({ tools: httpToolServer }), 'mcp.json'))).toMatchObject({
    mcpServers: {
      signalbox: { url: 'http://127.0.0.1:4000/mcp', bearerTokenEnvVar: 'SIGNALBOX_TOKEN' },
    },
  });
});

test('a role’s instructions follow the user’s own; tools cannot be allowed by name (2.1.0)', () => {
  const made = usedPlan({ 'AGENTS.md': 'His.\n' })({ role: fullRole });
  expect(fileOf(made, 'AGENTS.md')).toBe(`His.\n\n${fullRole.instructions}\n`);
  expect(JSON.parse(fileOf(made, 'mcp.json')).mcpServers.files).toEqual({
    ...{ command: 'serve', args: ['-x'], env: { KEY: 'value' } },
  });
  expect(made.overlays?.[0]?.except).toEqual(['config.toml', 'mcp.json', 'AGENTS.md']);
  expect(made.lacks).toEqual(['allowedTools']);
  const alone = usedPlan({})({ role: fullRole, epoch: 2, resume: 'session_1' });
  expect(fileOf(alone, 'AGENTS.md')).toBe(`${fullRole.instructions}\n`);
});

test('files that cannot be read stay in force, and what that costs is said', () => {
  const made = usedPlan({ 'mcp.json': '{"half' })({ role: fullRole });
  expect(made.overlays?.[0]?.except).toEqual(['config.toml']);
  expect(made.lacks).toEqual(['tools', 'instructions', 'allowedTools', 'mcpServers']);
  const env = { KIMI_CODE_HOME: '/nowhere' };
  expect(planLaunch(launchRequest({ tools: toolServer, env })).lacks).toEqual(['tools']);
});

test('rule 39: a mode is given by name; below `edit` the user’s own bolder one is set back', () => {
  const config =
    'default_permission_mode = "auto"\na = 1\n[other]\ndefault_permission_mode = "x"\n';
  const plan = usedPlan({ 'config.toml': config });
  const started = (role: object, extraArgs: readonly string[] = []) => {
    const made = plan({ role, extraArgs });
    return [made.argv.slice(1).join(' '), fileOf(made, 'config.toml').split('\n')[0]];
  };
  const his = 'default_permission_mode = "auto"';
  const careful = 'default_permission_mode = "manual"';
  expect(started({})).toEqual(['', his]);
  expect(started({ permission: 'read-only' })).toEqual(['--plan', careful]);
  // In a repository `manual` edits unasked: it is no mode for `ask`.
  expect(started({ permission: 'ask' })).toEqual(['--plan', careful]);
  expect(started({ permission: 'edit' })).toEqual(['', careful]);
  expect(started({ permission: 'all' })).toEqual(['--yolo', his]);
  expect(started({ permission: 'all' }, ['--plan'])).toEqual(['--plan', his]);
  const made = fileOf(plan({ role: { permission: 'edit' } }), 'config.toml');
  expect(made.match(/default_permission_mode/g)).toHaveLength(2);
  expect(plan({ role: { permissionMode: 'acceptEdits' } }).lacks).toEqual(['permission']);
});

test('what a person’s own arguments let it do is known', () => {
  expect(readPermission(['-S', 'x'])).toBeUndefined();
  expect(readPermission(['--plan'])).toBe('read-only');
  expect(readPermission(['--plan', '--auto'])).toBe('all');
});

function usedPlan(
  files: Readonly<Record<string, string>>,
): (wish: Partial<LaunchRequest>) => LaunchPlan {
  const home = tempHome();
  mkdirSync(join(home, 'sessions'), { recursive: true });
  for (const [name, text] of Object.entries({ 'session_index.jsonl': '', ...files })) {
    writeFileSync(join(home, name), text);
  }
  const env = { KIMI_CODE_HOME: home, ...identity };
  return (wish) => planLaunch(launchRequest({ tools: toolServer, env, ...wish }));
}

function fileOf({ files }: LaunchPlan, name: string): string {
  return files.find(({ path }) => path === `kimi/${name}`)?.text ?? '';
}
