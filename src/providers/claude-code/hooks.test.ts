import { expect, test } from 'vitest';
import { readHook } from './hooks.ts';

/** Payloads of 2.1.325, shortened. */
const common = { session_id: 'aea7', transcript_path: '/p/aea7.jsonl', cwd: '/w' };
const said = { conversation: 'aea7', transcriptPath: '/p/aea7.jsonl' };

test.each([
  ['UserPromptSubmit', { prompt: 'hello' }, { status: 'processing' }],
  ['Stop', { last_assistant_message: 'hello' }, { status: 'completed' }],
  [
    'StopFailure',
    { error: 'authentication_failed', last_assistant_message: 'API Error: 401\n no' },
    { status: 'error', detail: 'authentication_failed: API Error: 401 no' },
  ],
  ['StopFailure', {}, { status: 'error', detail: 'the turn failed' }],
  ['PermissionRequest', { tool_name: 'Bash' }, { status: 'waiting', detail: 'permission' }],
  [
    'PermissionRequest',
    { tool_name: 'AskUserQuestion' },
    { status: 'waiting', detail: 'question' },
  ],
  [
    'Notification',
    { notification_type: 'permission_prompt' },
    { status: 'waiting', detail: 'permission' },
  ],
  ['Notification', { notification_type: 'idle_prompt' }, { status: 'idle' }],
])('%s %j means %j', (event, body, report) => {
  expect(readHook({ event, body: { ...common, ...body } })).toEqual({ ...said, report });
});

test('rule 26: Stop and StopFailure end the turn that they name, and Stop has its last words', () => {
  const turn = { ...common, prompt_id: 'p1' };
  const end = (event: string, body: object) =>
    readHook({ event, body: { ...turn, ...body } })?.turnEnd;
  const identity = { session: 'aea7', id: 'p1' };
  expect(end('Stop', { last_assistant_message: 'hello' })).toEqual({
    ...identity,
    outcome: 'completed',
    text: 'hello',
  });
  expect(end('Stop', {})).toEqual({ ...identity, outcome: 'completed' });
  const failed = { error: 'server_error', last_assistant_message: 'API Error: 500' };
  expect(end('StopFailure', failed)).toMatchObject({ ...identity, outcome: 'failed' });
  expect(end('StopFailure', { ...failed, error: 'rate_limit' })?.why).toMatch(/^rate_limit/);
  expect(end('UserPromptSubmit', {})).toBeUndefined();
  expect(end('Stop', { agent_id: 'a1' })).toBeUndefined();
  expect(readHook({ event: 'Stop', body: common })?.turnEnd).toBeUndefined();
});

test('SessionStart tells the conversation and where it is written, and nothing about the status', () => {
  expect(readHook({ event: 'SessionStart', body: { ...common, source: 'clear' } })).toEqual(said);
});

test.each([
  ['PreToolUse', { agent_id: 'a1', tool_name: 'Bash' }],
  ['Stop', { agent_id: 'a1' }],
  ['StopFailure', { agent_id: 'a1', error: 'server_error' }],
])('rule 38: %s of a sub-agent changes nothing', (event, body) => {
  expect(readHook({ event, body: { ...common, ...body } })).toBeUndefined();
});

test('rule 38: what a sub-agent asks makes its agent waiting, and tells nothing else', () => {
  const body = { ...common, agent_id: 'a1', tool_name: 'Bash' };
  expect(readHook({ event: 'PermissionRequest', body })).toEqual({
    report: { status: 'waiting', detail: 'permission' },
  });
});

test.each([
  ['SessionEnd', { reason: 'clear' }],
  ['Notification', { notification_type: 'auth_success' }],
  ['SomethingNew', {}],
])('%s %j says nothing about the status', (event, body) => {
  expect(readHook({ event, body: { ...common, ...body } })).toBeUndefined();
});

test('O5: a failure of a megabyte becomes a short detail, and fields of the wrong kind are nothing', () => {
  const long = { ...common, error: 'x'.repeat(1_000_000) };
  expect(readHook({ event: 'StopFailure', body: long })?.report?.detail).toHaveLength(200);
  const wrong = { session_id: 7, transcript_path: null };
  expect(readHook({ event: 'Stop', body: wrong })).toEqual({ report: { status: 'completed' } });
});
