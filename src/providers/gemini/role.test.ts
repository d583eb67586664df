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

test('rule 39: our tools are in the copy of the user’s settings, trusted and allowed by name', () => {
  const plan = usedPlan({ mcpServers: { mine: { command: 'his' } } });
  const settings = settingsOf(plan({}));
  expect(settings).toMatchObject({
    mcpServers: {
      mine: { command: 'his' },
      signalbox: {
        command: '/bin/node',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the CLI fills it in
        env: { SIGNALBOX_SOCKET: '${SIGNALBOX_SOCKET}', SIGNALBOX_TOKEN: '${SIGNALBOX_TOKEN}' },
        timeout: 120_000,
        trust: true,
      },
    },
    policyPaths: ['/run/agt_1-1/home/.gemini/signalbox-rules.toml'],
  });
  expect(plan({}).files[1]?.text).toBe(
    '[[rule]]\ntoolName = "*"\nmcpName = "signalbox"\ndecision = "allow"\npriority = 200\n',
  );
  expect(settings).not.toHaveProperty('context');
  expect(settingsOf(plan({ tools: httpToolServer }))).toMatchObject({
    mcpServers: { signalbox: { httpUrl: 'http://127.0.0.1:4000/mcp', trust: true } },
  });
  expect(JSON.stringify(plan({}))).not.toContain(identity.SIGNALBOX_TOKEN);
  expect(plan({}).argv.join(' ')).not.toMatch(/policy|yolo|approval/);
});

test('a role brings servers without trust, tools, and one more file of instructions', () => {
  const made = usedPlan({})({ role: fullRole });
  const settings = settingsOf(made);
  expect(settings['mcpServers']).toMatchObject({ files: { command: 'serve' } });
  expect(JSON.stringify(settings).match(/"trust":true/g)).toHaveLength(1);
  const rules = made.files.find(({ path }) => path.endsWith('.toml'))?.text ?? '';
  expect(rules.match(/^toolName = .*$/gm)).toEqual([
    ...['toolName = "*"', 'toolName = "one"', 'toolName = "two"'],
  ]);
  expect(settings['context']).toEqual({ fileName: ['GEMINI.md', 'signalbox-role.md'] });
  expect(made.files.at(-1)).toEqual({
    path: 'home/.gemini/signalbox-role.md',
    text: `${fullRole.instructions}\n`,
  });
  for (const fileName of ['MINE.md', ['MINE.md']]) {
    const own = usedPlan({ context: { fileName, x: 1 } })({ role: fullRole });
    const context = { fileName: ['MINE.md', 'signalbox-role.md'], x: 1 };
    expect(settingsOf(own)['context']).toEqual(context);
  }
});

test('rule 39: the user’s own rules stay in force beside ours', () => {
  const own = usedPlan({ policyPaths: ['/his/rules'] })({});
  expect(settingsOf(own)['policyPaths']).toEqual([
    ...['/his/rules', '/run/agt_1-1/home/.gemini/signalbox-rules.toml'],
  ]);
  const home = tempHome();
  for (const folder of ['tmp', 'policies'])
    mkdirSync(join(home, '.gemini', folder), { recursive: true });
  const role = { allowedTools: ['run_shell_command(git "x")'] };
  const made = planLaunch(launchRequest({ role, env: { HOME: home } }));
  expect(settingsOf(made)['policyPaths']).toEqual([
    ...[join(home, '.gemini/policies'), '/run/agt_1-1/home/.gemini/signalbox-rules.toml'],
  ]);
  expect(made.files[1]?.text).toContain(
    'toolName = "run_shell_command"\ncommandPrefix = "git \\"x\\""\n',
  );
});

test('before it was ever used it has no home of this run, and what that costs is said', () => {
  const role = { ...fullRole, permission: 'read-only' } as const;
  const made = planLaunch(launchRequest({ tools: toolServer, role, env: { HOME: '/nowhere' } }));
  expect(made.lacks).toEqual(['tools', 'instructions', 'allowedTools', 'mcpServers']);
  expect(made.argv.slice(-2)).toEqual(['--approval-mode', 'plan']);
});

test('rule 39: a mode is given by name, to the next life as well (rule 37); a person’s own wins', () => {
  const mode = (wish: Partial<LaunchRequest>) => usedPlan({})(wish).argv.slice(3);
  expect(mode({})).toEqual([]);
  expect(mode({ role: { permission: 'ask' } })).toEqual(['--approval-mode', 'default']);
  expect(mode({ role: { permission: 'edit' } })).toEqual(['--approval-mode', 'auto_edit']);
  const all = { role: { permission: 'all' } } as const;
  const again = usedPlan({})({ ...all, epoch: 2, resume: 'id' });
  expect(again.argv.slice(1)).toEqual(['--resume=id', '--approval-mode', 'yolo']);
  expect(mode({ ...all, extraArgs: ['--approval-mode=plan'] })).toEqual(['--approval-mode=plan']);
});

test('what a person’s own arguments let it do is known', () => {
  expect(readPermission([])).toBeUndefined();
  expect(readPermission(['--approval-mode', 'auto_edit'])).toBe('edit');
  expect(readPermission(['-y'])).toBe('all');
});

function usedPlan(settings: object): (wish: Partial<LaunchRequest>) => LaunchPlan {
  const home = tempHome();
  mkdirSync(join(home, '.gemini/tmp'), { recursive: true });
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
  const env = { HOME: home, ...identity };
  return (wish) => planLaunch(launchRequest({ tools: toolServer, env, ...wish }));
}

function settingsOf({ files }: LaunchPlan): Readonly<Record<string, unknown>> {
  return JSON.parse(files[0]?.text ?? '{}');
}
