import { expect, test } from 'vitest';
import { readHook } from './hooks.ts';

const base = {
  session_id: 'a1b2c3d4-1111-4222-8333-444455556666',
  transcript_path:
    '/home/x/.qwen/projects/-srv-app/chats/a1b2c3d4-1111-4222-8333-444455556666.jsonl',
  prompt_id: 'a1b2c3d4-1111-4222-8333-444455556666########4',
};
const told = { conversation: base.session_id, transcriptPath: base.transcript_path };

test.each([
  ['UserPromptSubmit', { prompt: 'x' }, { status: 'processing' }],
  ['UserPromptSubmit', { prompt: '' }, { status: 'processing' }],
  ['Stop', { last_assistant_message: 'x' }, { status: 'completed' }],
  [
    'StopFailure',
    { error: 'authentication_failed', error_details: '401 mock failure\n401' },
    { status: 'error', detail: 'authentication_failed: 401 mock failure 401' },
  ],
  ['StopFailure', {}, { status: 'error', detail: 'the turn failed' }],
  [
    'PermissionRequest',
    { tool_name: 'run_shell_command' },
    { status: 'waiting', detail: 'permission' },
  ],
  [
    'PermissionRequest',
    { tool_name: 'ask_user_question' },
    { status: 'waiting', detail: 'question' },
  ],
  [
    'Notification',
    { notification_type: 'permission_prompt' },
    { status: 'waiting', detail: 'permission' },
  ],
  // Never "completed": it may overtake the StopFailure of its turn.
  ['Notification', { notification_type: 'idle_prompt' }, { status: 'idle' }],
])('%s %j means %j', (event, body, report) => {
  expect(readHook({ event, body: { ...base, ...body } })).toMatchObject({ report, ...told });
});

test('rule 26: Stop and StopFailure tell the end of a turn under its own name; no other hook does', () => {
  const turn = { session: base.session_id, id: base.prompt_id };
  const end = (event: string, body: object = {}) =>
    readHook({ event, body: { ...base, ...body } })?.turnEnd;
  const text = 'It is 42.';
  expect(end('Stop', { last_assistant_message: text })).toEqual({
    ...turn,
    outcome: 'completed',
    text,
  });
  expect(end('StopFailure', { error: 'authentication_failed' })).toEqual({
    ...turn,
    outcome: 'failed',
    why: 'authentication_failed',
  });
  // Qwen Code's own words for none: they would answer a task (rule 30).
  expect(end('Stop', { last_assistant_message: '[no response text]' })?.text).toBe('');
  // It comes after every turn, also before StopFailure, and mostly without the turn's name.
  expect(end('Notification', { notification_type: 'idle_prompt' })).toBeUndefined();
  expect(end('UserPromptSubmit', { prompt: 'x' })).toBeUndefined();
  expect(end('Stop', { prompt_id: undefined })).toBeUndefined();
  expect(end('Stop', { agent_id: 'sub-1' })).toBeUndefined();
});

test('the start of a session tells its conversation, also the new one after /clear', () => {
  expect(readHook({ event: 'SessionStart', body: { ...base, source: 'clear' } })).toEqual(told);
});

test('a sub-agent’s hooks mean nothing for this agent (rule 38)', () => {
  expect(readHook({ event: 'Stop', body: { ...base, agent_id: 'sub-1' } })).toBeUndefined();
});

test('other events and malformed payloads mean nothing, and long details are cut (O5)', () => {
  expect(readHook({ event: 'SessionEnd', body: base })).toBeUndefined();
  expect(readHook({ event: 'Notification', body: {} })).toBeUndefined();
  expect(readHook({ event: 'Stop', body: { session_id: 7 } })).toEqual({
    report: { status: 'completed' },
  });
  const failure = readHook({ event: 'StopFailure', body: { error_details: 'x'.repeat(100_000) } });
  expect(failure?.report?.detail).toHaveLength(200);
});
