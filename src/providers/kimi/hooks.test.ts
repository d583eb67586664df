import { expect, test } from 'vitest';
import { readHook, readOffer } from './hooks.ts';

/** Payloads as Kimi Code 2.1.0 gave them. */
const base = { session_id: 'session_1', cwd: '/srv/app', client_type: 'kimi_code_cli' };

const read = (event: string, body: object = {}) => readHook({ event, body: { ...base, ...body } });
const offer = (event: string, body: object = {}) =>
  readOffer({ event, body: { ...base, ...body } });

test('hooks tell the conversation, and when a turn begins, ends well or fails', () => {
  expect(read('SessionStart', { source: 'startup' })).toEqual({ conversation: 'session_1' });
  expect(read('UserPromptSubmit', { prompt: [] })?.report).toEqual({ status: 'processing' });
  expect(read('Stop', { stop_hook_active: false })?.report).toEqual({ status: 'completed' });
  const failure = { error_type: 'APIStatusError', error_message: '401 mock failure 401' };
  const detail = 'APIStatusError: 401 mock failure 401';
  expect(read('StopFailure', failure)?.report).toEqual({ status: 'error', detail });
  expect(read('PostToolUse')).toBeUndefined();
});

test('at its stop it can be told something, by exit code 2 alone', () => {
  const stop = offer('Stop', { stop_hook_active: false });
  expect(stop).toMatchObject({ route: 'turn-boundary', isContinued: false });
  expect(stop?.reply('Hello.')).toEqual({ stderr: 'Hello.', exitCode: 2 });
  // Unsaid counts as true (rule 19).
  expect(offer('Stop')?.isContinued).toBe(true);
  expect(offer('UserPromptSubmit')).toBeUndefined();
  expect(readOffer({ event: 'Stop', body: {} })).toBeUndefined();
});

test('rule 38: while a sub-agent works, a stop may be its own, and nothing is said', () => {
  read('SubagentStart');
  read('SubagentStart');
  expect(offer('Stop')).toBeUndefined();
  expect(read('Stop')).toBeUndefined();
  expect(read('StopFailure', { error_type: 'x' })).toBeUndefined();
  read('SubagentStop');
  expect(offer('Stop')).toBeUndefined();
  read('SubagentStop');
  expect(offer('Stop')).toBeDefined();
  read('SubagentStart');
  read('SessionStart');
  expect(offer('Stop')).toBeDefined();
});
