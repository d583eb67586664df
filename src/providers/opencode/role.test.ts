import { expect, test } from 'vitest';
import {
  fullRole,
  httpToolServer,
  identity,
  launchRequest,
  toolServer,
} from '../../../test/support/launch-request.ts';
import type { Role } from '../../agents/role.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { planLaunch } from './launch.ts';

const variable = 'OPENCODE_CONFIG_CONTENT';
const plan = (wish: Partial<LaunchRequest>): LaunchPlan =>
  planLaunch(launchRequest({ tools: toolServer, ...wish, env: { ...identity, ...wish.env } }));

test('rule 39: our tools are configuration in a variable, allowed by name, and no file of the user’s', () => {
  expect(contentOf(plan({}))).toEqual({
    mcp: {
      signalbox: {
        type: 'local',
        command: ['/bin/node', '/opt/mcp.cjs'],
        environment: {
          SIGNALBOX_SOCKET: '{env:SIGNALBOX_SOCKET}',
          SIGNALBOX_TOKEN: '{env:SIGNALBOX_TOKEN}',
        },
        timeout: 120_000,
      },
    },
    permission: { 'signalbox_*': 'allow' },
  });
  expect(contentOf(plan({ tools: httpToolServer }))).toMatchObject({
    mcp: {
      signalbox: {
        type: 'remote',
        url: 'http://127.0.0.1:4000/mcp',
        oauth: false,
        headers: { Authorization: 'Bearer {env:SIGNALBOX_TOKEN}' },
      },
    },
  });
  expect(JSON.stringify(plan({}))).not.toContain(identity.SIGNALBOX_TOKEN);
  expect(plan({ tools: undefined }).env[variable]).toBeUndefined();
});

test('a role brings servers, tools and instructions, and a restart asks for them again (rule 37)', () => {
  for (const wish of [{}, { epoch: 2, resume: 'ses_1' }]) {
    const made = plan({ role: { ...fullRole, permission: 'edit' }, ...wish });
    const content = contentOf(made);
    expect(Object.keys(content['mcp'] as object)).toEqual(['files', 'web', 'signalbox']);
    // Of several rules that fit the last one counts.
    expect(Object.entries(content['permission'] as object)).toEqual([
      ...[
        ['edit', 'allow'],
        ['bash', 'ask'],
        ['one', 'allow'],
      ],
      ...[
        ['two', 'allow'],
        ['signalbox_*', 'allow'],
      ],
    ]);
    expect(content['instructions']).toEqual(['/run/agt_1-1/role.md']);
    expect(made.files.at(-1)).toEqual({ path: 'role.md', text: `${fullRole.instructions}\n` });
  }
});

test('what a user has in that variable is part of ours, unless it was made for his agent', () => {
  const own = { model: 'x', permission: 'ask', mcp: { mine: { type: 'local' } } };
  const merged = contentOf(plan({ env: { [variable]: JSON.stringify(own) } }));
  expect(merged).toMatchObject({ model: 'x', mcp: { mine: { type: 'local' } } });
  expect(merged['permission']).toEqual({ '*': 'ask', 'signalbox_*': 'allow' });
  const parent = plan({ role: { permission: 'all' } }).env;
  const child = contentOf(plan({ env: parent, role: { permission: 'read-only' } }));
  expect(child['permission']).toEqual({ edit: 'deny', bash: 'ask', 'signalbox_*': 'allow' });
  const broken = plan({ env: { [variable]: '{"half' }, role: fullRole });
  expect(broken.env[variable]).toBeUndefined();
  expect(broken.lacks).toEqual(['tools', 'instructions', 'allowedTools', 'mcpServers']);
});

test('a mode that it does not have is said to be lacking', () => {
  const lacks = (role: Role) => plan({ tools: undefined, role }).lacks;
  expect(lacks({ permissionMode: 'acceptEdits' })).toEqual(['permission']);
  expect(lacks({ permissionMode: 'ask' })).toBeUndefined();
});

function contentOf({ env }: LaunchPlan): Readonly<Record<string, unknown>> {
  return JSON.parse(env[variable] ?? '{}');
}
