import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { trackDecision } from './decided.ts';
import { readQuestion } from './questions.ts';

const body = {
  ...{ hook_event_name: 'PermissionRequest', session_id: 's', cwd: '/srv/app', tool_name: 'Bash' },
  tool_input: { command: 'make\nfolder: /safe', description: 'Build it' },
};
const read = (more: object) =>
  readQuestion({ event: 'PermissionRequest', body: { ...body, ...more } });

test('rule 23: what a permission asks is shown whole, one fact a line, and no fact can pass for another', () => {
  expect(read({})).toMatchObject({
    asks: 'command',
    text: [
      'tool: Bash',
      'folder: /srv/app',
      'input:',
      '  command: make',
      '    folder: /safe',
      '  description: Build it',
    ].join('\n'),
    decisions: ['allow', 'deny'],
  });
});

test.each([
  ['Write', 'edit'],
  ['NotebookEdit', 'edit'],
  ['WebFetch', 'tool'],
  ['mcp__shop__Bash', 'tool'],
])('%s counts as %s', (tool, asks) => {
  expect(read({ tool_name: tool })?.asks).toBe(asks);
});

test.each([
  ['a question of its own', { tool_name: 'AskUserQuestion' }],
  ['the approval of a plan', { tool_name: 'ExitPlanMode' }],
  ['a request without a tool', { tool_name: undefined }],
])('%s is answered at the terminal', (_, more) => {
  expect(read(more)).toBeUndefined();
});

test('rule 38: what a sub-agent asks is told as its own', () => {
  expect(read({ agent_id: 'a1' })).toMatchObject({ asks: 'command', isSubAgents: true });
  expect(read({})).not.toHaveProperty('isSubAgents');
});

test('the answer is what the hook prints', () => {
  const printed = (decision: 'allow' | 'deny') =>
    JSON.parse(read({})?.reply(decision).stdout ?? '').hookSpecificOutput;
  expect(printed('allow')).toEqual({
    hookEventName: 'PermissionRequest',
    decision: { behavior: 'allow' },
  });
  expect(printed('deny').decision).toMatchObject({ behavior: 'deny' });
});

/** Records as 2.1.325 writes them. */
const called = (id: string, input: object = body.tool_input) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name: 'Bash', input }] },
});
const byHook = (id: string, decision: string) => ({
  type: 'attachment',
  attachment: {
    type: 'hook_permission_decision',
    decision,
    toolUseID: id,
    hookEvent: 'PermissionRequest',
  },
});
const result = (id: string, source: string) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id }] },
  permissionDecision: { decision: 'accept', source },
});

test.each([
  ['taken', [byHook('t1', 'allow')]],
  ['taken', [result('t1', 'hook'), byHook('t1', 'allow')]],
  ['gone', [byHook('t1', 'deny')]],
  ['gone', [result('t1', 'user_temporary')]],
  [undefined, [byHook('t2', 'allow'), result('t2', 'user_temporary')]],
  [undefined, []],
])('rule 23: its transcript says %s after %j', async (outcome, records) => {
  const { path, add } = openTranscript(called('t1'), called('t2', { command: 'other' }));
  const allowed = await track(path);
  add(...records);
  expect(await allowed()).toBe(outcome);
});

test('what stood there before the decision is of others, and so is the half of a line', async () => {
  const { path, add } = openTranscript(called('t1'), byHook('t1', 'allow'));
  const allowed = await track(path);
  expect(await allowed()).toBeUndefined();
  writeFileSync(path, JSON.stringify(byHook('t1', 'allow')).slice(0, 80), { flag: 'a' });
  expect(await allowed()).toBeUndefined();
  add();
});

test('of two calls that are alike nobody can tell which one a person has answered', async () => {
  const { path, add } = openTranscript(called('t1'), called('t2'));
  const allowed = await track(path);
  add(result('t2', 'user_temporary'));
  expect(await allowed()).toBeUndefined();
  add(byHook('t1', 'allow'));
  expect(await allowed()).toBe('taken');
});

test('rule 41: a transcript that cannot be read is an error and no answer', async () => {
  const { path, env } = openTranscript();
  execFileSync('mkfifo', [`${path}.jsonl`]);
  const call = (named: string) => ({ event: 'x', body: { transcript_path: named } });
  await expect(trackDecision(call(`${path}.jsonl`), { env })).rejects.toThrow(/EFTYPE/);
  expect(await trackDecision({ event: 'x', body: {} }, { env })).toBeUndefined();
});

test('rule 23: a hook that names a file outside of its own CLI’s folder has none read', async () => {
  const { path, env, folder } = openTranscript(called('t1'));
  const secret = join(folder, 'secret.jsonl');
  writeFileSync(secret, 'x\n');
  execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
  const link = join(dirname(path), 'link.jsonl');
  symlinkSync(secret, link);
  const loop = join(dirname(path), 'loop.jsonl');
  symlinkSync(loop, loop);
  const find = (named: unknown) =>
    trackDecision({ event: 'x', body: { ...body, transcript_path: named } }, { env });
  const others = [
    secret,
    join(folder, 'pipe.jsonl'),
    link,
    loop,
    '/dev/zero',
    '/proc/self/environ',
  ];
  const spelled = [`${dirname(path)}/../../secret.jsonl`, 's.jsonl', '', 7, dirname(path)];
  for (const named of [...others, ...spelled, join(folder, 'projects-x', 's.jsonl')]) {
    expect([named, await find(named)]).toEqual([named, undefined]);
  }
  expect(await find(path)).toBeTypeOf('function');
  // A person may have put the folder elsewhere.
  const moved = join(folder, 'moved');
  symlinkSync(folder, moved);
  const elsewhere = { CLAUDE_CONFIG_DIR: moved };
  const named = join(moved, 'projects', 'x', 's.jsonl');
  const call = { event: 'x', body: { ...body, transcript_path: named } };
  expect(await trackDecision(call, { env: elsewhere })).toBeTypeOf('function');
});

test('rule 38: what became of a sub-agent’s call stands in its own transcript', async () => {
  const { path, env } = openTranscript(called('t1'));
  const below = path.replace('.jsonl', '/subagents');
  mkdirSync(below, { recursive: true });
  const own = join(below, 'agent-a1.jsonl');
  writeFileSync(own, `${JSON.stringify(called('t1'))}\n`);
  const find = (agent: string) =>
    trackDecision(
      { event: 'x', body: { ...body, transcript_path: path, agent_id: agent } },
      { env },
    );
  const found = await find('a1');
  const allowed = () => Promise.resolve(found?.('allow'));
  writeFileSync(path, `${JSON.stringify(byHook('t1', 'allow'))}\n`, { flag: 'a' });
  expect(await allowed()).toBeUndefined();
  writeFileSync(own, `${JSON.stringify(byHook('t1', 'allow'))}\n`, { flag: 'a' });
  expect(await allowed()).toBe('taken');
  for (const agent of ['a2', '../agent-a1', '../../s']) {
    expect([agent, await find(agent)]).toEqual([agent, undefined]);
  }
});

test('of a huge transcript only the end is read', async () => {
  const { path, add } = openTranscript();
  truncateSync(path, 100 * 1024 ** 3);
  add({ type: 'padding' }, called('t1'));
  const allowed = await track(path);
  add(byHook('t1', 'allow'));
  expect(await allowed()).toBe('taken');
});

test('a call that is like one that is over is not taken for it', async () => {
  const { path, add } = openTranscript(called('t1'), result('t1', 'hook'), called('t2'));
  const allowed = await track(path);
  add(byHook('t1', 'allow'));
  expect(await allowed()).toBeUndefined();
  add(result('t2', 'user_temporary'));
  expect(await allowed()).toBe('gone');
});

async function track(path: string): Promise<() => Promise<'taken' | 'gone' | undefined>> {
  const call = { event: 'PermissionRequest', body: { ...body, transcript_path: path } };
  const env = { CLAUDE_CONFIG_DIR: dirname(dirname(dirname(path))) };
  const find = await trackDecision(call, { env });
  return () => Promise.resolve(find?.('allow'));
}

function openTranscript(...records: readonly object[]) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-decided-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'projects', 'x'), { recursive: true });
  const path = join(folder, 'projects', 'x', 's.jsonl');
  const add = (...more: readonly object[]): void => {
    const text = more.map((record) => `${JSON.stringify(record)}\n`).join('');
    writeFileSync(path, text, { flag: 'a' });
  };
  add(...records);
  return { path, add, folder, env: { CLAUDE_CONFIG_DIR: folder } };
}
