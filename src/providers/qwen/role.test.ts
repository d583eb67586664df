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

const run = '/run/agt_1-1';
const channels = ['--input-file', `${run}/input.jsonl`, '--json-file', `${run}/events.jsonl`];

test('rule 39: our tools are in the lowest layer of settings, trusted, beside an administrator’s', () => {
  const plan = withAdmin('{"mcpServers":{"admin":{"command":"x"}},"permissions":{"allow":["a"]}}');
  expect(defaultsOf(plan({ role: { allowedTools: ['one'] } }))).toMatchObject({
    mcpServers: {
      admin: { command: 'x' },
      signalbox: {
        command: '/bin/node',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the CLI fills it in
        env: { SIGNALBOX_SOCKET: '${SIGNALBOX_SOCKET}', SIGNALBOX_TOKEN: '${SIGNALBOX_TOKEN}' },
        timeout: 120_000,
        trust: true,
        alwaysLoadTools: true,
      },
    },
    permissions: { allow: ['a', 'one'] },
  });
  expect(defaultsOf(plan({ tools: httpToolServer }))).toMatchObject({
    mcpServers: { signalbox: { httpUrl: 'http://127.0.0.1:4000/mcp', trust: true } },
  });
  expect(plan({}).argv.slice(3)).toEqual(channels);
  expect(JSON.stringify(plan({}))).not.toContain(identity.SIGNALBOX_TOKEN);
});

test('a role’s instructions are an argument, and its servers are not trusted', () => {
  const plan = withAdmin('{}');
  const made = plan({ role: fullRole });
  expect(made.argv.slice(7)).toEqual([`--append-system-prompt=${fullRole.instructions}`]);
  expect(JSON.stringify(defaultsOf(made)).match(/"trust":true/g)).toHaveLength(1);
  const said = plan({ role: fullRole, extraArgs: ['--append-system-prompt', 'mine'] });
  expect(said.argv.slice(7)).toEqual(['--append-system-prompt', 'mine']);
  expect(said.lacks).toEqual(['instructions']);
});

test('an administrator’s file that cannot be read stays in force, and what that costs is said', () => {
  const made = withAdmin('{"half')({ role: fullRole });
  expect(made.lacks).toEqual(['tools', 'allowedTools', 'mcpServers']);
});

test('rule 39: a mode is given by name, to the next life as well (rule 37); a person’s own wins', () => {
  const plan = withAdmin('{}');
  const mode = (wish: Partial<LaunchRequest>) => plan(wish).argv.slice(7);
  expect(mode({ role: { permission: 'read-only' } })).toEqual(['--approval-mode', 'plan']);
  expect(mode({ role: { permission: 'edit' } })).toEqual(['--approval-mode', 'auto-edit']);
  const all = { role: { permission: 'all' } } as const;
  expect(plan({ ...all, epoch: 2, resume: 'id' }).argv.slice(-2)).toEqual([
    ...['--approval-mode', 'yolo'],
  ]);
  expect(mode({ ...all, extraArgs: ['--approval-mode', 'plan'] })).toEqual([
    ...['--approval-mode', 'plan'],
  ]);
});

test('what a person’s own arguments let it do is known', () => {
  expect(readPermission(['--debug'])).toBeUndefined();
  expect(readPermission(['--approval-mode=plan'])).toBe('read-only');
  expect(readPermission(['--approval-mode', 'plan', '--yolo'])).toBe('all');
});

function withAdmin(text: string): (wish: Partial<LaunchRequest>) => LaunchPlan {
  const home = tempHome();
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'system-defaults.json'), text);
  const settings = join(home, 'settings.json');
  const env = { HOME: home, QWEN_CODE_SYSTEM_SETTINGS_PATH: settings, ...identity };
  return (wish) => planLaunch(launchRequest({ tools: toolServer, env, ...wish }));
}

function defaultsOf({ files }: LaunchPlan): Readonly<Record<string, unknown>> {
  return JSON.parse(files.find(({ path }) => path === 'defaults.json')?.text ?? '{}');
}
