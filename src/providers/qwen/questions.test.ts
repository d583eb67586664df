import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { contextIn } from '../../../test/support/codex-life.ts';
import { tempHome } from '../../../test/support/home.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { eventFile, inputFile } from './launch.ts';
import { openQuestions } from './questions.ts';

const shell = {
  subtype: 'can_use_tool',
  tool_name: 'run_shell_command',
  tool_use_id: 'call_1',
  input: { command: 'ls', description: 'Lists', is_background: false },
};
const asked = { type: 'control_request', request_id: 'req_1', request: shell };

test('a command is told first, then its tool, the rest of its input and the folder', async () => {
  const { tell, channel } = enter();
  const suggestions = [
    { type: 'allow', description: 'Execute: ls\nWarning: it runs in the background' },
    { type: 'deny', description: 'Block' },
  ];
  tell({ ...asked, request: { ...shell, permission_suggestions: suggestions } });
  await waitUntil('the question', () => channel.open.length === 1);
  expect(channel.open[0]?.text.split('\n')).toEqual([
    'command: ls',
    'tool: run_shell_command',
    'input:',
    '  description: Lists',
    '  is_background: false',
    'folder: /srv/app',
    'question: Execute: ls',
    '  Warning: it runs in the background',
  ]);
});

test('an edit is one of files, and any other tool a tool', async () => {
  const { tell, channel } = enter();
  const edit = { file_path: '/srv/app/a', old_string: 'one', new_string: 'two' };
  tell({ ...asked, request: { ...shell, tool_name: 'edit', input: edit } });
  tell({ ...asked, request_id: 'req_2', request: { ...shell, tool_name: 'mcp__x__y' } });
  await waitUntil('the questions', () => channel.open.length === 2);
  expect(channel.open.map(({ asks }) => asks)).toEqual(['edit', 'tool']);
  expect(channel.open[0]?.text.split('\n').slice(0, 5)).toEqual([
    'file: /srv/app/a',
    'tool: edit',
    'input:',
    '  old_string: one',
    '  new_string: two',
  ]);
});

test('its question tool and its plans are not told: they want more than a yes', async () => {
  const { tell, channel } = enter();
  tell({ ...asked, request_id: 'req_2', request: { ...shell, tool_name: 'ask_user_question' } });
  tell({ ...asked, request_id: 'req_3', request: { ...shell, tool_name: 'exit_plan_mode' } });
  tell({ ...asked, request_id: 'req_4', request: { ...shell, subtype: 'another' } });
  tell(asked);
  await waitUntil('the question', () => channel.open.length > 0);
  expect(channel.open.map(({ key }) => key)).toEqual(['req_1']);
});

const main = { parent_tool_use_id: null, session_id: 's' };
const text = { role: 'user', content: [{ type: 'text', text: 'go on' }] };
const result = (id: string): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id }],
});

test.each([
  ['the next prompt', { type: 'user', ...main, message: text }],
  ['its tool’s result', { type: 'user', ...main, message: result('call_1') }],
  ['the next request', { type: 'stream_event', ...main, event: { type: 'message_start' } }],
  ['the end', { type: 'result', ...main, is_error: false }],
])('a person’s Escape, which nobody tells, is known by what follows: %s', async (_, event) => {
  const { tell, channel, changes } = enter();
  tell(asked);
  await waitUntil('the question', () => channel.open.length === 1);
  const before = changes();
  tell(event);
  await waitUntil('its end', () => channel.open.length === 0);
  expect(changes()).toBe(before + 1);
});

test.each([
  ['another tool’s result', { type: 'user', ...main, message: result('call_2') }],
  ['a word', { type: 'stream_event', ...main, event: { type: 'content_block_delta' } }],
  [
    'a sub-agent’s request',
    { type: 'stream_event', parent_tool_use_id: 'p', event: { type: 'message_start' } },
  ],
  ['a torn line', 'torn'],
])('it stays open after %s', async (_, event) => {
  const { tell, channel } = enter();
  tell(asked);
  tell(event);
  tell({ ...asked, request_id: 'req_2' });
  await waitUntil('the questions', () => channel.open.length === 2);
});

test('a decision is one line that is appended, and no file is made for it', async () => {
  const { tell, channel, input } = enter();
  tell(asked);
  await waitUntil('the question', () => channel.open.length === 1);
  appendFileSync(input, 'half a li');
  const deciding = channel.decide('req_1', 'allow', signal());
  const line = '{"type":"confirmation_response","request_id":"req_1","allowed":true}';
  await waitUntil('the line', () => readFileSync(input, 'utf8') === `half a li\n${line}\n`);
  tell(success(true));
  expect(await deciding).toEqual({ outcome: 'taken' });
  tell({ ...asked, request_id: 'req_2' });
  await waitUntil('the question', () => channel.open.length === 1);
  rmSync(input);
  expect(await channel.decide('req_2', 'deny', signal())).toMatchObject({ outcome: 'refused' });
  expect(channel.open).toHaveLength(1);
});

test('a no that nobody confirms is said once more, and the error to that confirms it', async () => {
  const { tell, channel, input } = enter();
  tell(asked);
  await waitUntil('the question', () => channel.open.length === 1);
  const deciding = channel.decide('req_1', 'deny', signal());
  const lines = (): readonly string[] =>
    readFileSync(input, 'utf8').match(/.+"allowed":false.+/g) ?? [];
  await waitUntil('the second', () => lines().length === 2);
  tell(failure);
  expect(await deciding).toEqual({ outcome: 'taken' });
  expect(channel.open).toEqual([]);
});

test('a no whose first answer is an error came too late', async () => {
  const { tell, channel, input } = enter();
  tell(asked);
  await waitUntil('the question', () => channel.open.length === 1);
  const deciding = channel.decide('req_1', 'deny', signal());
  await waitUntil('the line', () => readFileSync(input, 'utf8') !== '');
  tell(failure);
  expect(await deciding).toEqual({ outcome: 'gone' });
});

test('a Qwen Code that is silent gets no second decision: it may still read the first', async () => {
  const { tell, channel, input } = enter();
  tell(asked);
  await waitUntil('the question', () => channel.open.length === 1);
  expect(await channel.decide('req_1', 'allow', signal())).toMatchObject({ outcome: 'unknown' });
  const before = readFileSync(input, 'utf8');
  expect(await channel.decide('req_1', 'deny', signal())).toMatchObject({ outcome: 'refused' });
  expect(readFileSync(input, 'utf8')).toBe(before);
  tell(success(true));
  await waitUntil('its end', () => channel.open.length === 0);
});

test('a tool that did not run after our yes is not called taken', async () => {
  const { tell, channel, input } = enter();
  tell(asked);
  await waitUntil('the question', () => channel.open.length === 1);
  const deciding = channel.decide('req_1', 'allow', signal());
  await waitUntil('the line', () => readFileSync(input, 'utf8') !== '');
  tell(success(false));
  expect(await deciding).toMatchObject({ outcome: 'unknown' });
});

const failure = {
  type: 'control_response',
  response: { subtype: 'error', request_id: 'req_1', error: 'no longer awaiting approval' },
};

function success(allowed: boolean): object {
  const response = { subtype: 'success', request_id: 'req_1', response: { allowed } };
  return { type: 'control_response', response };
}

function enter() {
  const context = contextIn(tempHome(), '0.24.4');
  const [events, input] = [join(context.runFolder, eventFile), join(context.runFolder, inputFile)];
  for (const path of [events, input]) writeFileSync(path, '');
  let changed = 0;
  const channel = openQuestions({
    current: () => context,
    changed: () => {
      changed++;
    },
  });
  onTestFinished(() => channel.close());
  const tell = (event: object | string): void =>
    appendFileSync(events, `${typeof event === 'string' ? event : JSON.stringify(event)}\n`);
  return { channel, tell, input, changes: () => changed };
}

function signal(): AbortSignal {
  return AbortSignal.timeout(60_000);
}
