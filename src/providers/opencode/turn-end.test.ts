import { expect, test } from 'vitest';
import { findTurnEnd } from './turn-end.ts';

/** Messages as OpenCode 1.18.33 gave them, shortened. */
const prompt = (id: string) => ({
  info: { id, role: 'user' },
  parts: [{ type: 'text', text: 'x' }],
});
const step = (id: string, more: object, ...parts: readonly object[]) => ({
  info: { id, role: 'assistant', time: { created: 1, completed: 200 }, ...more },
  parts,
});
const said = { type: 'text', text: 'It is 42.' };
const aborted = { name: 'MessageAbortedError', data: { message: 'Aborted' } };
const refused = { name: 'APIError', data: { message: 'mock failure 401' } };
const end = (...messages: readonly object[]) => findTurnEnd(messages, 'ses_a', 100);

test('rule 26: a turn is named by its last step, which also has its last words', () => {
  const messages = [
    prompt('msg_1'),
    step('msg_2', { finish: 'stop' }, { type: 'step-start' }, said),
  ];
  expect(end(...messages)).toEqual({
    session: 'ses_a',
    id: 'msg_2',
    stop: 1,
    outcome: 'completed',
    text: 'It is 42.',
  });
  // A prompt that was queued behind it begins another turn.
  expect(end(...messages, prompt('msg_3'))?.id).toBe('msg_2');
});

test.each([
  ['a person’s interruption', { error: aborted }, 'interrupted'],
  ['a failure of the API', { error: refused }, 'failed'],
  ['a person’s no to a tool', { finish: 'tool-calls' }, 'interrupted'],
  ['an answer that was too long', { finish: 'length' }, 'completed'],
])('%s is told as such', (_, more, outcome) => {
  expect(end(prompt('msg_1'), step('msg_2', more))).toMatchObject({ id: 'msg_2', outcome });
});

test('what goes on, ended before this life, or was never answered is no news', () => {
  expect(end(prompt('msg_1'), step('msg_2', { time: { created: 1 } }))).toBeUndefined();
  const old = { finish: 'stop', time: { created: 1, completed: 99 } };
  expect(end(prompt('msg_1'), step('msg_2', old))).toBeUndefined();
  expect(end(prompt('msg_1'))).toBeUndefined();
  expect(end()).toBeUndefined();
});

test('a summary of OpenCode’s own is no turn, and odd messages are passed over (O5)', () => {
  const messages = [step('msg_2', { finish: 'stop' }, said)];
  const summary = step('msg_3', { finish: 'stop', summary: true }, said);
  const odd = [{}, { info: 7 }, { info: { role: 'assistant', finish: 'stop' }, parts: 'x' }];
  expect(end(...messages, summary)?.id).toBe('msg_2');
  expect(end(...odd)).toBeUndefined();
});
