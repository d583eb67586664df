import { expect, test } from 'vitest';
import { readHook, readOffer } from './hooks.ts';

/** Payloads as Copilot CLI 1.0.102 gave them. */
const common = { sessionId: '5b1f8f3e', timestamp: 1794747764690, cwd: '/srv/app' };
const transcriptPath = '/home/.copilot/session-state/5b1f8f3e/events.jsonl';

const read = (event: string, body: object) => readHook({ event, body: { ...common, ...body } });

test('a turn begins with its prompt and ends with its stop, in a conversation that is named', () => {
  expect(read('sessionStart', { source: 'new', initialPrompt: 'Please.' })).toEqual({
    conversation: '5b1f8f3e',
  });
  expect(read('userPromptSubmitted', { prompt: 'Please.' })).toEqual({
    report: { status: 'processing' },
    conversation: '5b1f8f3e',
  });
  const stop = { transcriptPath, stopReason: 'end_turn', stop_hook_active: false };
  expect(read('agentStop', stop)).toEqual({
    report: { status: 'completed' },
    conversation: '5b1f8f3e',
    transcriptPath,
  });
});

test('it waits when a person is really asked; that a tool wants to run says nothing', () => {
  const prompt = {
    message: 'Run command: touch asked.txt',
    title: 'Permission needed',
    notification_type: 'permission_prompt',
  };
  expect(read('notification', prompt)?.report).toEqual({ status: 'waiting', detail: 'permission' });
  expect(read('notification', { notification_type: 'shell_completed' })).toBeUndefined();
  // It fires for tools that a rule allows, too.
  expect(read('permissionRequest', { toolName: 'bash' })).toBeUndefined();
});

test('a failed try is no end, since it goes on trying', () => {
  const error = { name: 'Error', message: '{"message":"mock failure 401"}', stack: 'Error: …' };
  expect(
    read('errorOccurred', { errorContext: 'model_call', recoverable: true, error }),
  ).toBeUndefined();
  expect(read('errorOccurred', { recoverable: false, error })?.report).toEqual({
    status: 'error',
    detail: '{"message":"mock failure 401"}',
  });
});

test('rule 38: a sub-agent’s events change nothing, but its question is one to the person', () => {
  const child = { sessionId: 'a81ba3b6', agentId: 'a81ba3b6', parentAgentId: '5b1f8f3e' };
  expect(read('userPromptSubmitted', { ...child, prompt: 'Look.' })).toBeUndefined();
  expect(read('agentStop', { ...child, transcriptPath })).toBeUndefined();
  expect(read('notification', { ...child, notification_type: 'permission_prompt' })).toEqual({
    report: { status: 'waiting', detail: 'permission' },
  });
});

test('a payload of another shape is passed over (O5)', () => {
  expect(readHook({ event: 'agentStop', body: {} })).toEqual({ report: { status: 'completed' } });
  expect(readHook({ event: 'notification', body: { notification_type: 7 } })).toBeUndefined();
  expect(readHook({ event: 'errorOccurred', body: { recoverable: false, error: 'x' } })).toEqual({
    report: { status: 'error', detail: 'the turn failed' },
  });
});

test('at its stop it can be told something, and a sub-agent never (rule 38)', () => {
  const offer = (event: string, body: object) => readOffer({ event, body: { ...common, ...body } });
  const stop = offer('agentStop', { stopReason: 'end_turn', stop_hook_active: false });
  expect(stop).toMatchObject({ route: 'turn-boundary', isContinued: false });
  const reply = stop?.reply('Hello.');
  expect(JSON.parse(reply?.stdout ?? '')).toEqual({ decision: 'block', reason: 'Hello.' });
  expect(reply?.exitCode).toBe(0);
  // Unsaid counts as true (rule 19).
  expect(offer('agentStop', {})?.isContinued).toBe(true);
  expect(offer('agentStop', { agentId: 'a1' })).toBeUndefined();
  expect(offer('userPromptSubmitted', {})).toBeUndefined();
});
