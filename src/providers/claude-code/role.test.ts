import { expect, test } from 'vitest';
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
  executablePath: '/bin/claude',
  tools: toolServer,
  env: identity,
});
const run = '/run/agt_1-1';

test('rule 39: our tools stand beside the user’s, are allowed by name, and nothing else is', () => {
  const { argv, lacks } = planLaunch(request);
  expect(argv.slice(3, 5)).toEqual([
    `--mcp-config=${run}/mcp.json`,
    '--allowedTools=mcp__signalbox__*',
  ]);
  expect(argv.join(' ')).not.toMatch(/strict|permission|dangerously/);
  expect(lacks).toBeUndefined();
});

test('rule 40: the server is told where its identity stands, not what it is', () => {
  const [, servers] = planLaunch(request).files;
  expect(JSON.parse(servers?.text ?? '')).toEqual({
    mcpServers: {
      signalbox: {
        type: 'stdio',
        command: '/bin/node',
        args: ['/opt/mcp.cjs'],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the CLI fills it in
        env: { SIGNALBOX_SOCKET: '${SIGNALBOX_SOCKET}', SIGNALBOX_TOKEN: '${SIGNALBOX_TOKEN}' },
        timeout: 120_000,
        alwaysLoad: true,
      },
    },
  });
  expect(JSON.stringify(planLaunch(request))).not.toContain(identity.SIGNALBOX_TOKEN);
  const http = planLaunch({ ...request, tools: httpToolServer }).files[1]?.text ?? '';
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the CLI fills it in
  const headers = { Authorization: 'Bearer ${SIGNALBOX_TOKEN}' };
  expect(JSON.parse(http)).toMatchObject({
    mcpServers: { signalbox: { type: 'http', url: 'http://127.0.0.1:4000/mcp', headers } },
  });
});

test('a role brings its servers, its tools and its instructions; ours cannot be replaced', () => {
  const plan = planLaunch({ ...request, role: fullRole });
  expect(plan.argv.slice(4, 9)).toEqual([
    ...['--allowedTools=mcp__signalbox__*', '--allowedTools=one', '--allowedTools=two'],
    ...['--append-system-prompt-file', `${run}/role.md`],
  ]);
  expect(fileOf(plan, 'role.md')).toBe(`${fullRole.instructions}\n`);
  const { mcpServers } = JSON.parse(fileOf(plan, 'mcp.json'));
  expect(Object.keys(mcpServers)).toEqual(['files', 'web', 'signalbox']);
  expect(mcpServers.files).toEqual({
    ...{ type: 'stdio', command: 'serve', args: ['-x'], env: { KEY: 'value' } },
  });
  expect(mcpServers.signalbox.command).toBe('/bin/node');
});

test('what a person wrote about mode and instructions wins, and what is lost by that is said', () => {
  const extraArgs = ['--append-system-prompt', 'mine', '--permission-mode', 'plan'];
  const role = { instructions: 'ours', permission: 'all' } as const;
  const plan = planLaunch({ ...request, role, extraArgs });
  expect(plan.argv.slice(-4)).toEqual(extraArgs);
  expect(plan.argv.join(' ')).not.toMatch(/bypass|append-system-prompt-file/);
  expect(plan.lacks).toEqual(['instructions']);
});

test('rule 39: permissions are given away only by name', () => {
  const mode = (role: object): readonly string[] =>
    planLaunch({ ...request, tools: undefined, role }).argv.slice(3, 5);
  expect(mode({ permission: 'read-only' })).toEqual(['--permission-mode', 'dontAsk']);
  expect(mode({ permissionMode: 'plan' })).toEqual(['--permission-mode', 'plan']);
  expect(mode({ permission: 'ask' })).toEqual(['--permission-mode', 'default']);
  expect(mode({ permission: 'edit' })).toEqual(['--permission-mode', 'acceptEdits']);
  expect(mode({ permission: 'all' })).toEqual(['--permission-mode', 'bypassPermissions']);
  expect(mode({ permissionMode: 'dontAsk' })).toEqual(['--permission-mode', 'dontAsk']);
});

test('what a person’s own arguments let it do is known', () => {
  expect(readPermission(['--verbose'])).toBeUndefined();
  expect(readPermission(['--permission-mode', 'plan'])).toBe('read-only');
  expect(readPermission(['--permission-mode=auto'])).toBe('all');
  expect(readPermission(['--permission-mode', 'later'])).toBe('all');
  expect(readPermission(['--dangerously-skip-permissions'])).toBe('all');
});

test('rule 37: a restart asks for all of it again', () => {
  const first = planLaunch({ ...request, role: fullRole });
  const next = planLaunch({ ...request, role: fullRole, epoch: 2, resume: 'id' });
  expect(next.files).toEqual(first.files);
  expect(next.argv.slice(0, 9)).toEqual(first.argv.slice(0, 9));
});

function fileOf({ files }: LaunchPlan, name: string): string {
  return files.find(({ path }) => path === name)?.text ?? '';
}
