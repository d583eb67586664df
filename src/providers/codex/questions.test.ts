import { expect, onTestFinished, test } from 'vitest';
import {
  active,
  begin,
  change,
  contextIn,
  count,
  first,
  idle,
  openCodexLife,
  user,
} from '../../../test/support/codex-life.ts';
import { tempHome } from '../../../test/support/home.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { QuestionChannel } from '../questions.ts';
import { openQuestions } from './questions.ts';

const command = 'item/commandExecution/requestApproval';
const files = 'item/fileChange/requestApproval';
const form = 'mcpServer/elicitation/request';
const other = '01a1df42-8ff7-7110-895b-8916627e94ff';
const below = '01a1df42-9754-7280-9759-321305064ded';
const names = { threadId: first, turnId: 'turn', itemId: 'call' };

test('rule 38: a sub-agent’s question is one of its agent, and says so; another thread’s is none', async () => {
  const { server, channel } = await enter();
  begin(server, below, { ...user, threadSource: 'subagent', parentThreadId: first, status: idle });
  const stranger = { ...user, threadSource: 'subagent', parentThreadId: other, status: idle };
  server.threads.set(other, { id: other, ...stranger });
  server.ask(0, command, { ...names, threadId: other, command: 'ls strange' });
  server.ask(1, command, { ...names, threadId: below, command: 'ls below' });
  await waitUntil('the question', () => channel.open.length === 1);
  expect(channel.open[0]).toMatchObject({ text: 'command: ls below', isSubAgents: true });
  const key = channel.open[0]?.key ?? '';
  expect(await channel.decide(key, 'allow', signal())).toEqual({ outcome: 'taken' });
  expect(server.answers).toEqual([{ id: 1, result: { decision: 'accept' } }]);
});

test('a question of a sub-agent that was not told of is placed by asking for its thread', async () => {
  const { server, channel } = await enter();
  const thread = { ...user, threadSource: 'subagent', parentThreadId: first, status: idle };
  server.threads.set(below, { id: below, ...thread });
  server.ask(0, command, { ...names, threadId: below, command: 'ls' });
  await waitUntil('the question', () => channel.open[0]?.isSubAgents);
});

const unreadable = { code: -32_603, message: 'failed to read thread' };

test('rule 41: a question is told although its thread cannot be read, once it is known whose it is', async () => {
  const { server, channel } = await enter();
  const thread = { ...user, threadSource: 'subagent', parentThreadId: first, status: idle };
  server.threads.set(below, { id: below, ...thread });
  server.refusals.set(`thread/read ${below}`, unreadable);
  server.ask(0, command, { ...names, threadId: below, command: 'ls below' });
  await waitUntil('that somebody asks', () => channel.isBlind);
  // Other questions are told and answered meanwhile.
  server.ask(1, command, { ...names, itemId: 'other', command: 'ls' });
  await waitUntil('the other question', () => channel.open.length === 1);
  const key = channel.open[0]?.key ?? '';
  expect(await channel.decide(key, 'allow', signal())).toEqual({ outcome: 'taken' });
  expect(channel.isBlind).toBe(true);
  server.refusals.clear();
  await waitUntil('the question', () => channel.open.length === 1);
  expect(channel.open[0]).toMatchObject({ text: 'command: ls below', isSubAgents: true });
  expect(channel.isBlind).toBe(false);
});

test('rule 41: one loaded thread that cannot be read hides no question of another', async () => {
  const { server, channel } = await enter();
  server.threads.set(other, { id: other, ...user, recencyAt: 0, status: idle });
  server.refusals.set(`thread/read ${other}`, unreadable);
  server.ask(0, command, { ...names, command: 'ls' });
  await waitUntil('the question', () => channel.open.length === 1);
  server.cut();
  await waitUntil('that it is noticed', () => channel.isBlind);
  await waitUntil('the question', () => !channel.isBlind && channel.open.length === 1);
  expect(channel.open[0]?.text).toBe('command: ls');
});

test('a person who goes to another conversation takes its questions off the list', async () => {
  const { server, channel } = await enter();
  server.ask(0, command, { ...names, command: 'ls' });
  await waitUntil('the question', () => channel.open.length === 1);
  const key = channel.open[0]?.key ?? '';
  begin(server, other, { ...user, recencyAt: 2, status: idle });
  await waitUntil('its end', () => channel.open.length === 0);
  expect(await channel.decide(key, 'allow', signal())).toEqual({ outcome: 'gone' });
  expect(server.answers).toEqual([]);
});

test('a connection that is made again has the open questions again, under the same names', async () => {
  const { server, channel } = await enter();
  server.ask(0, command, { ...names, command: 'ls' });
  await waitUntil('the question', () => channel.open.length === 1);
  const before = channel.open;
  server.cut();
  await waitUntil('that it is noticed', () => channel.isBlind);
  const decided = await channel.decide(before[0]?.key ?? '', 'allow', signal());
  expect(decided).toMatchObject({ outcome: 'refused' });
  await waitUntil('the question', () => channel.open.length === 1);
  expect(channel.open).toEqual(before);
});

test('a server that counts from 0 again asks another question under another name', async () => {
  const { server, channel } = await enter();
  server.ask(0, command, { ...names, command: 'ls' });
  await waitUntil('the question', () => channel.open.length === 1);
  const old = channel.open[0]?.key ?? '';
  server.questions.clear();
  server.cut();
  await waitUntil('that it is noticed', () => channel.isBlind);
  await waitUntil('the connection', () => !channel.isBlind);
  server.ask(0, command, { ...names, turnId: 'later', command: 'rm -r /' });
  await waitUntil('the question', () => channel.open.length === 1);
  expect(channel.open[0]?.key).not.toBe(old);
  expect(await channel.decide(old, 'allow', signal())).toEqual({ outcome: 'gone' });
  expect(server.answers).toEqual([]);
});

test('a turn that ends closes its questions, though nobody says so', async () => {
  const { server, channel } = await enter();
  server.ask(0, command, { ...names, command: 'ls' });
  await waitUntil('the question', () => channel.open.length === 1);
  const turn = { id: 'turn', status: 'interrupted' };
  server.notify({ method: 'turn/completed', params: { threadId: first, turn } });
  await waitUntil('its end', () => channel.open.length === 0);
});

test('a server that says nothing leaves the decision unknown, and the question open', async () => {
  const { server, channel } = await enter();
  server.ask(0, command, { ...names, command: 'ls' });
  await waitUntil('the question', () => channel.open.length === 1);
  server.freeze();
  const decided = await channel.decide(channel.open[0]?.key ?? '', 'deny', signal());
  expect(decided).toMatchObject({ outcome: 'unknown', reason: expect.stringContaining('5 s') });
  expect(channel.open).toHaveLength(1);
});

test('all that a command would get is told, and what is more than a command is a tool', async () => {
  const { server, channel } = await enter();
  const network = { host: 'example.org', protocol: 'https' };
  const more = { additionalPermissions: { network: { enabled: true } }, environmentId: 'local' };
  server.ask(0, command, { ...names, command: 'curl', networkApprovalContext: network, ...more });
  server.ask(1, command, { ...names, itemId: 'two', command: 'y', kind: 'stdin' });
  await waitUntil('the questions', () => channel.open.length === 2);
  expect(channel.open[0]?.asks).toBe('tool');
  expect(channel.open[0]?.text.split('\n')).toEqual([
    'command: curl',
    'network:',
    '  host: example.org',
    '  protocol: https',
    'additionalPermissions:',
    '  network:',
    '    enabled: true',
  ]);
  expect(channel.open[1]).toMatchObject({ asks: 'tool', text: 'command: y\nkind: stdin' });
});

test('a command that Codex offers no plain yes for can only be refused', async () => {
  const { server, channel } = await enter();
  server.ask(0, command, { ...names, command: 'ls', availableDecisions: ['cancel'] });
  await waitUntil('the question', () => channel.open.length === 1);
  expect(channel.open[0]?.decisions).toEqual(['deny']);
});

test('a change of files is told with its diff, from the item that came before it', async () => {
  const { server, channel } = await enter();
  const changes = [
    { path: '/srv/app/a', kind: { type: 'add' }, diff: 'one\nreason: two\n' },
    { path: '/srv/app/b', kind: { type: 'update', move_path: '/srv/app/c' }, diff: '-x\n+y' },
    { path: '/srv/app/d', kind: { type: 'delete' }, diff: '' },
  ];
  const item = { id: 'call', type: 'fileChange', changes };
  server.notify({ method: 'item/started', params: { threadId: first, turnId: 'turn', item } });
  server.ask(0, files, { ...names, reason: 'it must', grantRoot: null });
  await waitUntil('the question', () => channel.open.length === 1);
  const [question] = channel.open;
  expect(question).toMatchObject({ asks: 'edit', decisions: ['allow', 'deny'] });
  expect(question?.text.split('\n')).toEqual([
    'add: /srv/app/a',
    '  one',
    '  reason: two',
    '"update, and move to /srv/app/c": /srv/app/b',
    '  -x',
    '  +y',
    'delete: /srv/app/d',
    'reason: it must',
  ]);
  expect(await channel.decide(question?.key ?? '', 'deny', signal())).toEqual({ outcome: 'taken' });
});

test('a change of files whose item nobody knows is asked for, and cannot be allowed unseen', async () => {
  const { server, channel } = await enter();
  const before = count(server, 'thread/resume');
  server.ask(0, files, { ...names, reason: null, grantRoot: null });
  await waitUntil('the question', () => channel.open.length === 1);
  expect(count(server, 'thread/resume')).toBe(before + 1);
  expect(channel.open[0]).toMatchObject({
    text: 'changes: not known here; the terminal shows them',
    decisions: ['deny'],
  });
});

test('a change of files that would open a folder for the session can only be refused', async () => {
  const { server, channel } = await enter();
  const changes = [{ path: '/srv/a', kind: { type: 'add' }, diff: 'x' }];
  const item = { id: 'call', type: 'fileChange', changes };
  server.notify({ method: 'item/started', params: { threadId: first, turnId: 'turn', item } });
  server.ask(0, files, { ...names, reason: null, grantRoot: '/srv' });
  await waitUntil('the question', () => channel.open.length === 1);
  expect(channel.open[0]?.decisions).toEqual(['deny']);
  expect(channel.open[0]?.text).toContain('"grants for the session": /srv');
});

const asksTool = {
  threadId: first,
  turnId: 'turn',
  serverName: 'lab',
  mode: 'form',
  message: 'Allow the lab MCP server to run tool "ping"?',
  requestedSchema: { type: 'object', properties: {} },
  _meta: { codex_approval_kind: 'mcp_tool_call', tool_params: { a: 'b' }, tool_description: 'p' },
};
const toolItem = { id: 'call', type: 'mcpToolCall', server: 'lab', arguments: { a: 'b' } };

test.each([
  ['allow', { action: 'accept', content: {} }, undefined],
  ['deny', { action: 'decline', content: null }, { message: 'user rejected MCP tool call' }],
] as const)(
  'an MCP server’s tool is told with its input, and %s answers its form',
  async (decision, answer, error) => {
    const { server, channel } = await enter();
    server.endItem = () => ({ ...toolItem, status: error ? 'failed' : 'completed', error });
    server.ask(0, form, asksTool);
    await waitUntil('the question', () => channel.open.length === 1);
    const [question] = channel.open;
    expect(question?.asks).toBe('tool');
    expect(question?.text.split('\n')).toEqual([
      `question: ${asksTool.message}`,
      'server: lab',
      'input:',
      '  a: b',
      'about: p',
    ]);
    const decided = await channel.decide(question?.key ?? '', decision, signal());
    expect(decided).toEqual({ outcome: 'taken' });
    expect(server.answers).toEqual([{ id: 0, result: answer }]);
  },
);

test('what is no plain permission is not told: forms to fill in, questions, wider permissions', async () => {
  const { server, channel } = await enter();
  const filled = { type: 'object', properties: { name: { type: 'string' } } };
  server.ask(0, form, { ...asksTool, _meta: null });
  server.ask(1, form, { ...asksTool, requestedSchema: filled });
  server.ask(2, 'item/tool/requestUserInput', names);
  server.ask(3, 'item/permissions/requestApproval', { ...names, permissions: {} });
  server.ask(4, 'execCommandApproval', { conversationId: first, command: ['ls'] });
  server.ask(5, command, { ...names, command: 'ls' });
  await waitUntil('the question', () => channel.open.length > 0);
  expect(channel.open.map(({ text }) => text)).toEqual(['command: ls']);
});

test('a Codex without an app-server of ours has no questions, and is not blind', async () => {
  const context = contextIn(tempHome(), '0.166.0');
  const channel = openQuestions({ current: () => context, changed: () => undefined });
  onTestFinished(() => channel.close());
  expect(channel.open).toEqual([]);
  expect(channel.isBlind).toBe(false);
  expect(await channel.decide('key', 'allow', signal())).toEqual({ outcome: 'gone' });
});

async function enter() {
  const { server, life } = await openCodexLife({
    threads: { [first]: { ...user, status: active } },
  });
  const channel: QuestionChannel = openQuestions(life);
  onTestFinished(() => channel.close());
  await waitUntil('its eyes', () => !channel.isBlind && count(server, 'thread/resume') > 0);
  change(server, first, active);
  return { server, channel };
}

function signal(): AbortSignal {
  return AbortSignal.timeout(60_000);
}
