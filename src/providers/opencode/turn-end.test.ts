import { expect, test } from 'vitest';
import { findTurnEnds } from './turn-end.ts';

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
const ends = (...messages: readonly object[]) =>
  findTurnEnds(messages, 'ses_a', { since: 100, isAll: true });
const end = (...messages: readonly object[]) => ends(...messages).at(-1);
const markOf = (letter: string) => `mark_${letter.repeat(24)}`;
/** As we send one. */
const sent = (id: string, letter: string) => ({
  info: { id, role: 'user' },
  parts: [{ type: 'text', text: `<signalbox ${markOf(letter)}>\nA task.` }],
});
/** A step of the model, with words, for the newest prompt that it was given. */
const answer = (id: string, parentID: string, text: string, finish = 'stop') =>
  step(id, { finish, parentID }, { type: 'text', text });
const told = (...messages: readonly object[]) =>
  ends(...messages).map(({ id, text, held }) => [id, text, held]);

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
    endedAt: 200,
    held: [],
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

test('rules 26, 27: what comes while the model answers has an answer of its own, and leaves the first one alone', () => {
  expect(
    told(
      sent('msg_1', 'a'),
      answer('msg_2', 'msg_1', 'Amber.'),
      sent('msg_3', 'b'),
      answer('msg_4', 'msg_3', 'Blue.'),
      prompt('msg_5'),
      answer('msg_6', 'msg_5', 'You are welcome.'),
    ),
  ).toEqual([
    ['msg_2', 'Amber.', [markOf('a')]],
    ['msg_4', 'Blue.', [markOf('b')]],
    ['msg_6', 'You are welcome.', []],
  ]);
});

test('rule 27: what comes while a tool runs joins the turn, whose answer is for all that it held', () => {
  const joined = [
    sent('msg_1', 'a'),
    answer('msg_2', 'msg_1', 'I look.', 'tool-calls'),
    sent('msg_3', 'b'),
    answer('msg_4', 'msg_3', 'Amber and blue.'),
  ];
  expect(told(...joined)).toEqual([['msg_4', 'Amber and blue.', [markOf('a'), markOf('b')]]]);
});

test('rule 27: two that waited together are answered together; one that came after the request is not', () => {
  const waited = [sent('msg_1', 'a'), sent('msg_2', 'b'), sent('msg_3', 'c')];
  expect(told(...waited, answer('msg_4', 'msg_2', 'Both.'))).toEqual([
    ['msg_4', 'Both.', [markOf('a'), markOf('b')]],
  ]);
});

test('rule 26: nothing is told while the last step goes on, nor what a page cannot know', () => {
  const open = step('msg_4', { parentID: 'msg_3', time: { created: 1 } });
  const first = [sent('msg_1', 'a'), answer('msg_2', 'msg_1', 'Amber.')];
  expect(told(...first, sent('msg_3', 'b'), open)).toEqual([]);
  const cut = [answer('msg_8', 'msg_7', 'Late.'), ...first];
  const [late, whole] = findTurnEnds(cut, 'ses_a', { since: 100, isAll: false });
  expect(late).not.toHaveProperty('held');
  expect(whole?.held).toEqual([markOf('a')]);
});

test('rule 27: a turn that failed says why, in the API’s own words', () => {
  const failed = end(prompt('msg_1'), step('msg_2', { error: refused }));
  expect(failed?.why).toBe('APIError: mock failure 401');
  expect(end(prompt('msg_1'), step('msg_2', { error: aborted }))).not.toHaveProperty('why');
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
