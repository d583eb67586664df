import { expect, test } from 'vitest';
import { advance, type EventState } from './events.ts';

// Lines as Qwen Code 0.24.4 writes them, without uuids and usage that nobody reads.
const session_id = '72abb43b-1ed4-417c-8421-e95ad0d7173c';
const base = { session_id, parent_tool_use_id: null };
const start = { ...base, type: 'system', subtype: 'session_start', data: { session_id } };
const prompt = { ...base, type: 'user', message: { content: [{ type: 'text', text: 'go' }] } };
const result = { ...base, type: 'user', message: { content: [{ type: 'tool_result' }] } };
const begin = stream({ type: 'message_start', message: { content: [] } });
const delta = stream({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'x' } });
const stop = stream({ type: 'message_stop' });
const spent = { input_tokens: 10, output_tokens: 3 };
const free = { input_tokens: 0, output_tokens: 0 };
const asks = {
  type: 'control_request',
  request_id: 'b63f15f4',
  request: { subtype: 'can_use_tool', tool_name: 'run_shell_command', tool_use_id: 'call_1' },
};

test('the start tells the conversation and nothing about the status: a dialog may be open', () => {
  expect(take(start)).toEqual({ conversation: session_id });
  expect(take(start).word).toBeUndefined();
});

test('a prompt, a message under way and a tool’s result are work', () => {
  expect(take(start, prompt).word).toEqual({ status: 'processing' });
  expect(take(prompt, begin, delta).word).toEqual({ status: 'processing' });
  expect(take(prompt, begin, call(), stop, result).word).toEqual({ status: 'processing' });
});

test('the turn ends with a message that calls no tool', () => {
  expect(take(prompt, begin, text('hi', spent)).word).toEqual({ status: 'processing' });
  expect(take(prompt, begin, text('hi', spent), stop).word).toEqual({ status: 'completed' });
  const called = [prompt, begin, text('let me look', free), call(), stop];
  expect(take(...called).word).toEqual({ status: 'processing' });
  expect(take(...called, result, begin, text('done', spent), stop).word).toEqual({
    status: 'completed',
  });
});

test('a dialog is waiting, until it is answered', () => {
  expect(take(prompt, begin, call(), stop, asks).word).toEqual({
    status: 'waiting',
    detail: 'permission',
  });
  const question = { ...asks, request: { ...asks.request, tool_name: 'ask_user_question' } };
  expect(take(question).word).toEqual({ status: 'waiting', detail: 'question' });
  expect(take(asks, decision(true)).word).toEqual({ status: 'processing' });
  expect(take(asks, decision(false)).word).toBeUndefined();
  const late = { type: 'control_response', response: { subtype: 'error', request_id: 'x' } };
  expect(take(asks, late).word).toEqual({ status: 'waiting', detail: 'permission' });
});

test('a refusal of the API is an error; a model that writes the same is not', () => {
  const words = '[API Error: 401 mock failure 401]';
  expect(take(prompt, begin, text(words, free), stop).word).toEqual({
    status: 'error',
    detail: '401 mock failure 401',
  });
  expect(take(prompt, begin, text(words, spent), stop).word).toEqual({ status: 'completed' });
  const next = [prompt, begin, text('hi', spent), stop];
  expect(take(prompt, begin, text(words, free), stop, ...next).word).toEqual({
    status: 'completed',
  });
});

test('a sub-agent’s events are work of this agent and end no turn of it (rule 38)', () => {
  const sub = { session_id: 'other', parent_tool_use_id: 'call_1' };
  const state = take(prompt, begin, call(), stop, { ...begin, ...sub }, { ...stop, ...sub });
  expect(state).toMatchObject({ conversation: session_id, word: { status: 'processing' } });
});

test('after /clear the events carry the new conversation', () => {
  const state = take(start, prompt, { ...prompt, session_id: '8ac0e280' });
  expect(state.conversation).toBe('8ac0e280');
});

test('a prompt is news after a turn whose end nobody told; more of the same turn is not', () => {
  expect(take(start, prompt).words).toBe(1);
  expect(take(start, prompt, begin, delta, delta).words).toBe(1);
  expect(take(start, prompt, begin, call(), stop, result, begin).words).toBe(1);
  expect(take(start, prompt, prompt).words).toBe(2);
  expect(take(start, prompt, begin, text('hi', spent), stop, begin).words).toBe(3);
});

test('what cannot be read changes nothing (O5)', () => {
  const before = take(start, prompt);
  for (const line of ['', '{"type":"us', '[]', 'null', '"x"', '{"type":7}', '{}']) {
    expect(advance(before, line)).toEqual(before);
  }
});

function take(...events: readonly object[]): EventState {
  return events.reduce<EventState>((state, event) => advance(state, JSON.stringify(event)), {});
}

function stream(event: object): object {
  return { ...base, type: 'stream_event', event };
}

function text(words: string, usage: object): object {
  const content = [{ type: 'text', text: words }];
  return { ...base, type: 'assistant', message: { content, stop_reason: null, usage } };
}

function call(): object {
  const content = [{ type: 'tool_use', id: 'call_1', name: 'run_shell_command', input: {} }];
  return { ...base, type: 'assistant', message: { content, stop_reason: 'tool_use' } };
}

function decision(allowed: boolean): object {
  const response = { subtype: 'success', request_id: 'b63f15f4', response: { allowed } };
  return { type: 'control_response', response };
}
