import { expect, test } from 'vitest';
import { readHook } from './hooks.ts';

const base = {
  session_id: 'c628ebcf-39d2-4c79-903f-eef21cbdb5cc',
  transcript_path: '/home/x/.gemini/tmp/work/chats/session-2026-11-15T12-46-c628ebcf.jsonl',
  cwd: '/work',
  timestamp: '2026-11-15T12:46:54.430Z',
};

test.each([
  ['BeforeAgent', { prompt: 'x' }, { status: 'processing' }],
  ['AfterAgent', { prompt_response: 'hello ', stop_hook_active: false }, { status: 'completed' }],
  // After a 401 too; whether it failed is the screen's to say.
  ['AfterAgent', { prompt_response: '[no response text]' }, { status: 'idle' }],
  [
    'Notification',
    { notification_type: 'ToolPermission' },
    { status: 'waiting', detail: 'permission' },
  ],
])('%s %j means %j', (event, body, report) => {
  expect(readHook({ event, body: { ...base, ...body } })).toEqual({
    report,
    conversation: base.session_id,
    transcriptPath: base.transcript_path,
  });
});

test('the start of a session tells its conversation, also the new one after /clear', () => {
  const meaning = readHook({ event: 'SessionStart', body: { ...base, source: 'clear' } });
  expect(meaning).toEqual({
    conversation: base.session_id,
    transcriptPath: base.transcript_path,
  });
});

test('events that say nothing about the status, and malformed payloads, mean nothing (O5)', () => {
  expect(readHook({ event: 'PreCompress', body: base })).toBeUndefined();
  expect(readHook({ event: 'SessionEnd', body: base })).toBeUndefined();
  expect(readHook({ event: 'Notification', body: { notification_type: 7 } })).toBeUndefined();
  expect(readHook({ event: 'BeforeAgent', body: { session_id: {} } })).toEqual({
    report: { status: 'processing' },
  });
});
