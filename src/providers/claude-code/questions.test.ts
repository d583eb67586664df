import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  ['what a sub-agent asks, whose dialog would wait for the hook', { agent_id: 'a1' }],
  ['a request without a tool', { tool_name: undefined }],
])('%s is answered at the terminal', (_, more) => {
  expect(read(more)).toBeUndefined();
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
  await expect(track('/nowhere/at/all')).rejects.toThrow(/ENOENT/);
  expect(await trackDecision({ event: 'x', body: {} })).toBeUndefined();
});

async function track(path: string): Promise<() => Promise<'taken' | 'gone' | undefined>> {
  const call = { event: 'PermissionRequest', body: { ...body, transcript_path: path } };
  const find = await trackDecision(call);
  return () => Promise.resolve(find?.('allow'));
}

function openTranscript(...records: readonly object[]) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-decided-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 's.jsonl');
  const add = (...more: readonly object[]): void => {
    const text = more.map((record) => `${JSON.stringify(record)}\n`).join('');
    writeFileSync(path, text, { flag: 'a' });
  };
  add(...records);
  return { path, add };
}
