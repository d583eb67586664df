import { expect, test } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { applyEvent, applySurvey, createSessions, describeSessions } from './sessions.ts';

/** Events as OpenCode 1.18.33 sent them, shortened. */
const status = (sessionID: string, type: string): Json => ({
  type: 'session.status',
  properties: { sessionID, status: { type } },
});
const created = (id: string, parentID?: string): Json => ({
  type: 'session.created',
  properties: { sessionID: id, info: { id, title: 'Lab', ...(parentID ? { parentID } : {}) } },
});
const failed = (sessionID: string, name: string, message: string): Json => ({
  type: 'session.error',
  properties: { sessionID, error: { name, data: { message, statusCode: 401 } } },
});
const asked = (sessionID: string, type = 'permission.asked'): Json => ({
  type,
  properties: { id: 'per_1', sessionID, permission: 'bash', patterns: ['touch a'] },
});
const replied: Json = {
  type: 'permission.replied',
  properties: { sessionID: 'ses_a', requestID: 'per_1', reply: 'once' },
};

const after = (...events: readonly Json[]) =>
  describeSessions(events.reduce(applyEvent, createSessions(undefined)));

test('a turn is processing from its start to its end, in the conversation that it began', () => {
  expect(after()).toEqual({ report: { status: 'idle' } });
  expect(after(created('ses_a'), status('ses_a', 'busy'))).toEqual({
    report: { status: 'processing' },
    conversation: 'ses_a',
  });
  const ended = after(created('ses_a'), status('ses_a', 'busy'), status('ses_a', 'idle'));
  expect(ended).toEqual({ report: { status: 'idle' }, conversation: 'ses_a' });
});

test('a permission and a question wait for the person until they are answered, also those of a sub-agent', () => {
  const busy = [created('ses_a'), status('ses_a', 'busy')];
  expect(after(...busy, asked('ses_a')).report).toEqual({
    status: 'waiting',
    detail: 'permission',
  });
  expect(after(...busy, asked('ses_a', 'question.asked')).report?.detail).toBe('question');
  expect(after(...busy, asked('ses_a'), replied).report).toEqual({ status: 'processing' });
  const child = [created('ses_b', 'ses_a'), status('ses_b', 'busy'), asked('ses_b')];
  expect(after(...busy, ...child)).toEqual({
    report: { status: 'waiting', detail: 'permission' },
    conversation: 'ses_a',
  });
});

test('a question ends with its turn, also when nobody says so', () => {
  const events = [created('ses_a'), status('ses_a', 'busy'), asked('ses_a')];
  expect(after(...events, status('ses_a', 'idle')).report).toEqual({ status: 'idle' });
});

test('a failed turn is an error with its reason until the next one starts; a broken off one is not', () => {
  const busy = [created('ses_a'), status('ses_a', 'busy')];
  const error = [...busy, failed('ses_a', 'APIError', 'mock failure 401'), status('ses_a', 'idle')];
  expect(after(...error).report).toEqual({ status: 'error', detail: 'mock failure 401' });
  expect(after(...error, status('ses_a', 'idle')).report?.status).toBe('error');
  expect(after(...error, status('ses_a', 'busy')).report).toEqual({ status: 'processing' });
  const broken = [...busy, failed('ses_a', 'MessageAbortedError', 'Aborted')];
  expect(after(...broken, status('ses_a', 'idle')).report).toEqual({ status: 'idle' });
});

test('while it tries again it works', () => {
  const events = [created('ses_a'), status('ses_a', 'retry')];
  expect(after(...events).report).toEqual({ status: 'processing', detail: 'retrying' });
});

test('rule 38: a sub-agent’s session is never the conversation, and its failure is not the agent’s', () => {
  const events = [
    created('ses_a'),
    status('ses_a', 'busy'),
    created('ses_b', 'ses_a'),
    status('ses_b', 'busy'),
    failed('ses_b', 'APIError', 'boom'),
    status('ses_b', 'idle'),
  ];
  expect(after(...events)).toEqual({ report: { status: 'processing' }, conversation: 'ses_a' });
  const end = after(...events, status('ses_a', 'idle'));
  expect(end).toEqual({ report: { status: 'idle' }, conversation: 'ses_a' });
});

test('another conversation is the current one when it is begun, or given a prompt', () => {
  const error = [created('ses_a'), status('ses_a', 'busy'), failed('ses_a', 'APIError', 'boom')];
  const moved = after(...error, status('ses_a', 'idle'), created('ses_n'));
  expect(moved).toEqual({ report: { status: 'idle' }, conversation: 'ses_n' });
  const back = after(created('ses_a'), created('ses_n'), status('ses_a', 'busy'));
  expect(back.conversation).toBe('ses_a');
});

test('an old conversation that works on behind the new one does not come to the fore again', () => {
  const events = [created('ses_a'), status('ses_a', 'busy'), created('ses_n')];
  const repeated = after(...events, status('ses_n', 'busy'), status('ses_a', 'busy'));
  expect(repeated.conversation).toBe('ses_n');
});

test('a deleted conversation is nobody’s', () => {
  const gone: Json = { type: 'session.deleted', properties: { info: { id: 'ses_a' } } };
  expect(after(created('ses_a'), status('ses_a', 'busy'), gone)).toEqual({
    report: { status: 'idle' },
  });
});

test('a survey says what is true now, whatever was missed', () => {
  const before = [created('ses_a'), status('ses_a', 'busy'), asked('ses_a')].reduce(
    applyEvent,
    createSessions('ses_a'),
  );
  const rest = { status: {}, permissions: [], questions: [] };
  expect(describeSessions(applySurvey(before, rest)).report).toEqual({ status: 'idle' });
  const permissions = [{ id: 'per_2', sessionID: 'ses_a', permission: 'edit' }];
  const waiting = { status: { ses_a: { type: 'busy' } }, permissions, questions: [] };
  expect(describeSessions(applySurvey(createSessions(undefined), waiting))).toEqual({
    report: { status: 'waiting', detail: 'permission' },
    conversation: 'ses_a',
  });
});

test('what has another shape than expected changes nothing (O5)', () => {
  const odd: readonly Json[] = [
    {},
    { type: 'session.status' },
    { type: 'session.status', properties: { sessionID: 7, status: 'busy' } },
    { type: 'permission.asked', properties: { id: 'per_1' } },
    { type: 'session.error', properties: { error: { name: 'APIError' } } },
    { type: 'session.created', properties: { info: [] } },
  ];
  expect(after(...odd)).toEqual({ report: { status: 'idle' } });
});
