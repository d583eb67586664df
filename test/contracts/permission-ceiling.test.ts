import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { add } from '../../src/fleet/add.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { readCall } from '../support/mcp.ts';
import { type CeilingWorld, cliNames, normalise, openCeilingWorld } from './ceiling-world.ts';

interface Asked {
  readonly provider?: string;
  readonly model?: string;
  readonly cwd?: string;
  readonly session?: string;
  readonly worktree?: boolean;
  readonly extraArgs?: readonly string[];
  readonly extraEnv?: Readonly<Record<string, string>>;
}

/**
 * What an agent asks for so that a child may do more than itself. Each is refused, by HTTP and by
 * the command line alike.
 */
const attacks: Readonly<Record<string, readonly [request: Asked, said: RegExp]>> = {
  'a PATH of its own': [{ extraEnv: { PATH: '/evil' } }, /"PATH", which says where programs/],
  'a path in small letters': [{ extraEnv: { path: '/evil' } }, /"path", which says where/],
  NODE_OPTIONS: [{ extraEnv: { NODE_OPTIONS: '-r /evil' } }, /"NODE_OPTIONS", which makes/],
  LD_PRELOAD: [{ extraEnv: { LD_PRELOAD: '/evil.so' } }, /"LD_PRELOAD", which belongs to/],
  'another home': [{ extraEnv: { HOME: '/evil' } }, /"HOME", which moves the home/],
  'other settings of Claude Code': [
    { extraEnv: { CLAUDE_CONFIG_DIR: '/evil' } },
    /CLAUDE_CONFIG_DIR/,
  ],
  'another home of Codex': [{ extraEnv: { CODEX_HOME: '/evil' } }, /CODEX_HOME/],
  'settings of Gemini CLI': [{ extraEnv: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/e' } }, /GEMINI_CLI/],
  'a sandbox that is none': [{ extraEnv: { IS_SANDBOX: '1' } }, /"IS_SANDBOX", which loosens/],
  'another model’s address': [{ extraEnv: { OPENAI_BASE_URL: 'http://x' } }, /OPENAI_BASE_URL/],
  'a proxy': [{ extraEnv: { https_proxy: 'http://x' } }, /"https_proxy", which says whom/],
  'the name of another agent': [{ extraEnv: { SIGNALBOX_AGENT: 'boss' } }, /SIGNALBOX_AGENT/],
  'a flag as the model': [{ model: '--dangerously-skip-permissions' }, /the model "--dang/],
  'a short flag as the model': [{ model: '-c' }, /the model "-c"/],
  'arguments for the CLI': [{ extraArgs: ['--yolo'] }, /an argument for the CLI itself/],
  'settings after --': [{ extraArgs: ['--settings', '/evil.json'] }, /an argument for the CLI/],
  'a conversation of another': [{ extraArgs: ['--resume', 'x'] }, /an argument for the CLI/],
  'MCP servers of a profile': [{ provider: 'served' }, /the MCP server "helper"/],
  'variables of a profile': [{ provider: 'pathed' }, /"PATH", which says where/],
  'tools of a profile': [{ provider: 'tooled' }, /allowing Bash/],
  'a bolder profile': [{ provider: 'bold' }, /the permission `all`/],
  'tasks as prompts': [{ provider: 'prompted' }, /taking its tasks as prompts of the user/],
  'a mode that nobody knows': [{ provider: 'odd' }, /the mode "--yolo"/],
  'a flag as the model of a profile': [{ provider: 'modelled' }, /the model "--yolo"/],
  'another folder': [{ cwd: 'other' }, /another folder than your own/],
  'a folder below its own': [{ cwd: 'below' }, /another folder than your own/],
  'another session': [{ session: 'elsewhere' }, /another session than your own/],
};

/** Only for those that may not even ask. */
const readersOnly: typeof attacks = {
  'a worktree': [{ worktree: true }, /a worktree, which is written, counts as `ask`/],
  'a worktree of a profile': [{ provider: 'treed' }, /a worktree, which is written,/],
  'a program that can only ask': [{ provider: 'asking' }, /the permission `ask`/],
};

const levels = ['read-only', 'ask', 'edit'] as const;

describe.each(levels)('an agent with `%s`', (permission) => {
  const mine = permission === 'read-only' ? { ...attacks, ...readersOnly } : attacks;

  test.each(Object.entries(mine))('is refused %s', async (_, [request, said]) => {
    const world = await openWorld();
    const agent = await world.addAgent('agent', { permission });
    for (const headers of waysOf(agent)) {
      const asked = { ...plain(world), ...placed(world, request) };
      await expectRefused(world.post('/agents', asked, headers), said);
      if ('extraEnv' in request || 'extraArgs' in request) continue;
      const { provider: to, notify: _, extraArgs: __, extraEnv: ___, ...rest } = asked;
      await expectRefused(world.post('/tasks', { ...rest, to, task: 'Go' }, headers), said);
    }
    for (const tool of 'provider' in request ? ['assign', 'handoff'] : []) {
      const { result, text } = await call(world, tool, { profile: request.provider, task: 'Go' });
      expect(result?.error?.code).toBe('not-allowed');
      expect(text).toMatch(said);
    }
    expect(world.take()).toEqual([]);
    const agents = await world.ledger.read((tx) => tx.agents.list());
    expect(agents.map(({ name }) => name)).toEqual(['agent', 'user']);
  });
});

test('a project’s profile that the user trusts is refused to an agent without its servers, and the user is told how to launch it', async () => {
  const world = await openWorld();
  const agent = await world.addAgent('agent', { permission: 'edit' });
  world.writeTrusted('theirs', 'mcpServers: { helper: { command: /bin/helper } }');
  const asked = { ...plain(world), provider: 'theirs' };
  const answer = await world.post('/agents', asked, shown(agent));
  const { error } = (await answer.json()) as { error: Record<string, string> };
  expect(error['message']).toMatch(/the MCP server "helper", which you do not have yourself,/);
  expect(error['next']).toMatch(/ask the user to launch it with `--parent agent`/);
  // As the user does then.
  await world.post('/agents', { ...asked, env: world.userEnv, parent: 'agent' }, {});
  expect(world.take()).toHaveLength(1);
});

test('what an agent is allowed itself it may hand on, and an agent with `all` everything', async () => {
  const world = await openWorld();
  const helper = { command: '/bin/helper', args: ['-x'] };
  const own = await world.addAgent('own', { permission: 'ask', mcpServers: { helper } });
  const all = await world.addAgent('all', { permission: 'all' });
  const start = async (agent: Agent, request: object) => {
    await world.post('/agents', { ...plain(world), ...placed(world, request) }, shown(agent));
    return world.take().length;
  };
  expect(await start(own, { provider: 'served' })).toBe(1);
  expect(await start(own, { provider: 'served-otherwise' })).toBe(0);
  expect(await start(own, { extraEnv: { NODE_ENV: 'test' }, model: 'opus' })).toBe(1);
  const handed = [
    ...['arguments for the CLI', 'MCP servers of a profile', 'tools of a profile'],
    ...['a bolder profile', 'another folder', 'another session', 'another home', 'a proxy'],
  ];
  for (const name of handed) {
    const [request = {}] = attacks[name] ?? [];
    expect([name, await start(all, request)]).toEqual([name, 1]);
  }
});

test.each(cliNames)('no value becomes an option of %s: a model, a conversation', async (cli) => {
  const world = await openWorld();
  const { provider: adapter } = await import(`../../src/providers/${cli}/provider.ts`);
  const { launchRequest } = await import('../support/launch-request.ts');
  const flag = '--dangerously-skip-permissions';
  const env = world.userEnv;
  for (const wish of [{ model: flag }, { model: flag, epoch: 2, resume: 'abc' }]) {
    const { argv } = adapter.planLaunch(launchRequest({ ...wish, env, version: '9.9.9' }));
    expect(argv).not.toContain(flag);
    expect(argv).toContain(`--model=${flag}`);
  }
  // The user is told, too, that this is no model.
  const asked = { ...plain(world), provider: cli, model: flag };
  const refused = await world.post('/agents', asked, {});
  expect(await refused.json()).toMatchObject({ error: { code: 'invalid-input' } });
  expect(world.take()).toEqual([]);
});

test('the environment that an agent sends along is not used, for a launch or a restart', async () => {
  const world = await openWorld();
  const agent = await world.addAgent('agent', { permission: 'read-only' });
  const role = { permission: 'read-only' } as const;
  await world.addAgent('child', role, { parent: agent.id, status: 'exited' });
  const env = { PATH: '/evil', LD_PRELOAD: '/evil.so', CODEX_HOME: '/evil', EXTRA: 'evil' };
  for (const headers of waysOf(agent)) {
    await world.post('/agents', { ...plain(world), env }, headers);
    await world.post('/tasks', { to: 'codex', task: 'x', cwd: world.own, env }, headers);
    await world.post('/agents/child/restart', { fresh: true, env }, headers);
    const starts = world.take();
    expect(starts).toHaveLength(3);
    for (const start of starts) {
      expect(start.env).toMatchObject(world.userEnv);
      expect(JSON.stringify(start)).not.toContain('evil');
    }
  }
});

test('one that was added by name, or a one-shot command, launches with the environment of the agent above it, else ours', async () => {
  const world = await openWorld();
  const agent = await world.addAgent('agent', { permission: 'ask' });
  const wanted = { session: 'default', notify: true, cwd: world.own };
  const below = await add(world.ledger, systemClock, { ...wanted, name: 'b', parent: agent.id });
  const alone = await add(world.ledger, systemClock, { ...wanted, name: 'a' });
  for (const caller of [below, alone]) {
    const asked = { ...plain(world), env: { PATH: '/evil', HOME: '/evil' } };
    await world.post('/agents', asked, { 'signalbox-agent': caller.id });
    const [start] = world.take();
    expect(start?.env).toMatchObject(world.userEnv);
  }
});

test('restart of an agent that has more than oneself is refused; of one that has not, it is as the user’s', async () => {
  const world = await openWorld();
  const agent = await world.addAgent('agent', { permission: 'ask' });
  const below = { parent: agent.id, status: 'exited' } as const;
  await world.addAgent('bolder', { permission: 'all' }, below);
  const helper = { command: '/bin/helper' };
  await world.addAgent('served-one', { permission: 'ask', mcpServers: { helper } }, below);
  await world.addAgent('equal', { permission: 'ask' }, below);
  const restart = (name: string, headers: Record<string, string>, env = {}) =>
    world.post(`/agents/${name}/restart`, { fresh: true, env }, headers);
  await expectRefused(restart('bolder', shown(agent)), /"bolder" has `all`/);
  await expectRefused(restart('served-one', shown(agent)), /the MCP server "helper"/);
  expect(world.take()).toEqual([]);
  await restart('equal', shown(agent), { PATH: '/evil' });
  await restart('equal', {}, world.userEnv);
  const [byAgent, byUser] = world.take();
  if (!byAgent || !byUser) throw new Error('not started');
  const { SIGNALBOX_EPOCH: _, ...first } = normalise(byAgent).env;
  expect(normalise(byUser).env).toMatchObject(first);
  // The user may restart all of them.
  for (const name of ['bolder', 'served-one']) await restart(name, {}, world.userEnv);
  expect(world.take()).toHaveLength(2);
});

test('a conversation that a forged hook names is no option of the next life', async () => {
  const { isConversationId } = await import('../../src/agents/conversation-id.ts');
  const world = await openWorld();
  const role = { permission: 'read-only' } as const;
  const forgeries = ['--dangerously-skip-permissions', '-c', ' x', 'a b', 'a\nb', ''];
  for (const [n, forged] of forgeries.entries()) {
    expect(isConversationId(forged)).toBe(false);
    const { id } = await world.addAgent(`agent-${n}`, role, { status: 'exited' });
    await world.ledger.write((tx) => tx.epochs.setConversation(id, 1, forged));
    await world.post(`/agents/${id}/restart`, { fresh: false, env: world.userEnv }, {});
    const [start] = world.take();
    expect(start?.argv.join(' ')).toMatch(/--session-id [0-9a-f-]{36}/);
    expect(start?.argv).not.toContain('--dangerously-skip-permissions');
  }
  for (const id of ['0f0e0d0c-1111-4222-8333-444455556666', 'ses_2abC', 'session_1']) {
    expect(isConversationId(id)).toBe(true);
  }
});

/** By its token, and by its name as the command line sends it. */
function waysOf(agent: Agent): readonly Record<string, string>[] {
  return [shown(agent), { 'signalbox-agent': agent.id }];
}

function shown({ name }: Pick<Agent, 'name'>): Record<string, string> {
  return { authorization: `Bearer tok_${name}` };
}

function plain({ own }: CeilingWorld) {
  const nothing = { notify: true, extraArgs: [], env: {}, extraEnv: {} };
  return { provider: 'claude-code', cwd: own, ...nothing };
}

function placed({ own, other }: CeilingWorld, request: Asked): Asked {
  if (request.cwd === undefined) return request;
  return { ...request, cwd: request.cwd === 'other' ? other : join(own, request.cwd) };
}

async function call(world: CeilingWorld, name: string, given: object) {
  const params = { name, arguments: given };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return readCall(await (await world.post('/mcp', body, shown({ name: 'agent' }))).text());
}

async function expectRefused(answer: Promise<Response>, said: RegExp): Promise<void> {
  const response = await answer;
  const { error } = (await response.json()) as { error?: Record<string, string> };
  expect([response.status, error?.['code']]).toEqual([403, 'not-allowed']);
  expect(error?.['message']).toMatch(said);
  expect(error?.['next']).toMatch(/sk the user/);
}

async function openWorld(): Promise<CeilingWorld> {
  const world = await openCeilingWorld();
  mkdirSync(join(world.own, 'below'));
  const profiles = {
    served: 'mcpServers: { helper: { command: /bin/helper, args: [-x] } }',
    'served-otherwise': 'mcpServers: { helper: { command: /bin/evil, args: [-x] } }',
    pathed: 'env: { PATH: /evil }',
    tooled: 'allowedTools: [Bash]',
    bold: 'permissionMode: all',
    prompted: 'tasks: prompt',
    odd: 'permissionMode: --yolo',
    modelled: 'model: --yolo',
    treed: 'worktree: true',
    asking: 'permissionMode: ask',
  };
  for (const [name, fields] of Object.entries(profiles)) {
    world.writeProfile(name, `provider: claude-code\n${fields}`);
  }
  return world;
}
