import { expect, test } from 'vitest';
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
const plan = (wish: Partial<LaunchRequest>): LaunchPlan =>
  planLaunch(launchRequest({ tools: toolServer, ...wish, env: { ...identity, ...wish.env } }));

test('rule 39: our tools stand beside the user’s and are allowed by name', () => {
  const { argv, files } = plan({});
  expect(argv.slice(3, 5)).toEqual([
    `--additional-mcp-config=@${run}/mcp.json`,
    '--allow-tool=signalbox',
  ]);
  expect(argv.join(' ')).not.toMatch(/allow-all|yolo|trust/);
  expect(serversOf({ files })).toEqual({
    signalbox: {
      type: 'local',
      command: '/bin/node',
      args: ['/opt/mcp.cjs'],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the CLI fills it in
      env: { SIGNALBOX_SOCKET: '${SIGNALBOX_SOCKET}', SIGNALBOX_TOKEN: '${SIGNALBOX_TOKEN}' },
      tools: ['*'],
      timeout: 120_000,
    },
  });
  expect(JSON.stringify(plan({}))).not.toContain(identity.SIGNALBOX_TOKEN);
  expect(serversOf(plan({ tools: httpToolServer }))).toMatchObject({
    signalbox: { type: 'http', url: 'http://127.0.0.1:4000/mcp', tools: ['*'] },
  });
});

test('a role brings servers, tools and instructions, and a restart asks for them again (rule 37)', () => {
  for (const wish of [{}, { epoch: 2, resume: 'id' }]) {
    const env = { COPILOT_CUSTOM_INSTRUCTIONS_DIRS: '/his, ' };
    const made = plan({ role: fullRole, env, ...wish });
    expect(made.argv.slice(4, 7)).toEqual([
      ...['--allow-tool=signalbox', '--allow-tool=one', '--allow-tool=two'],
    ]);
    expect(Object.keys(serversOf(made))).toEqual(['files', 'web', 'signalbox']);
    expect(made.env['COPILOT_CUSTOM_INSTRUCTIONS_DIRS']).toBe(`/his,${run}/role`);
    const said = made.files.find(({ path }) => path.endsWith('.instructions.md'));
    expect(said?.path.startsWith('role/.github/instructions/')).toBe(true);
    expect(said?.text).toBe(`---\napplyTo: "**"\n---\n\n${fullRole.instructions}\n`);
  }
});

test('rule 39: permissions are given by kinds of tools, and all of them only by name', () => {
  const mode = (role: object, extraArgs: readonly string[] = []) =>
    plan({ tools: undefined, role, extraArgs }).argv.slice(3, -1 - extraArgs.length);
  expect(mode({})).toEqual([]);
  expect(mode({ permission: 'read-only' })).toEqual(['--deny-tool=write']);
  expect(mode({ permission: 'ask' })).toEqual([]);
  expect(mode({ permission: 'edit' })).toEqual(['--allow-tool=write']);
  expect(mode({ permission: 'all' })).toEqual(['--allow-all']);
  expect(mode({ permission: 'edit' }, ['--yolo'])).toEqual([]);
  expect(plan({ role: { permissionMode: 'autopilot' } }).lacks).toEqual(['permission']);
});

test('what a person’s own arguments let it do is known', () => {
  expect(readPermission(['--allow-tool=write'])).toBeUndefined();
  expect(readPermission(['--yolo'])).toBe('all');
});

function serversOf({ files }: Pick<LaunchPlan, 'files'>): Readonly<Record<string, object>> {
  return JSON.parse(files.find(({ path }) => path === 'mcp.json')?.text ?? '{}').mcpServers;
}
