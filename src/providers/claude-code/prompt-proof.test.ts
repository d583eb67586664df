import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { TranscriptJudge } from './judge.ts';
import { promptKey } from './said-records.ts';

/** Records as 2.1.325 writes them of a prompt that was pasted: no blob holds its text. */

const mark = 'mark_01m7pjq86s00qh71xffnhscccv_908y7x8bzntqranv4x9nprepw5';
const text = `<signalbox msg_1 ${mark}>\nyes, go ahead`;

function user(uuid: string, content: string, more: Json = {}): Json {
  return {
    type: 'user',
    ...{ uuid, parentUuid: null, promptId: `turn-${uuid}`, origin: { kind: 'human' } },
    message: { role: 'user', content },
    ...more,
  };
}

function hashOf(content: string): string {
  const message = { content: [{ text: content, type: 'text' }], role: 'user' };
  return createHash('sha256').update(JSON.stringify(message)).digest('hex');
}

function request(id: string, tail: readonly string[], more: Json = {}): Json {
  return { type: 'api-request', id, keep: 0, tail, ...more };
}

function answer(id: string, parentUuid: string, more: Json = {}): Json {
  return {
    type: 'assistant',
    ...{ uuid: `answer-${id}`, parentUuid, requestRef: id },
    message: { id: `m-${id}`, role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
    ...more,
  };
}

function find(records: readonly Json[], key = promptKey(mark)): string {
  const judge = new TranscriptJudge();
  for (const record of records) judge.take(record);
  return judge.find(key).kind;
}

const fenced = `<signalbox ${mark}>\nMail, not typed here.\n</signalbox 9nprepw5>`;

describe.each([
  ['the user’s words', text],
  ['a fenced task', fenced],
])('rule 51: proof of a pasted prompt, %s', (_, text) => {
  const asked = [user('u1', text), request('r1', [hashOf(text)])];

  test('rules 6, 51: it is seen when the model has answered the request that holds it', () => {
    expect(find([user('u1', text)])).toBe('landed');
    expect(find(asked)).toBe('landed');
    expect(find([...asked, answer('r1', 'u1')])).toBe('seen');
  });

  test('rule 51: also in a version that names its messages otherwise, in the same turn', () => {
    const other = [user('u1', text), request('r1', ['another-hash'])];
    const hook = { type: 'attachment', uuid: 'a1', parentUuid: 'u1', attachment: {} };
    expect(find([...other, hook, answer('r1', 'a1')])).toBe('seen');
    expect(find([answer('r1', 'a1'), hook, ...other])).toBe('seen');
  });

  test('rule 6: the API’s failure, the CLI’s own words and an answer to nobody are no proof', () => {
    expect(find([...asked, answer('r1', 'u1', { isApiErrorMessage: true })])).toBe('landed');
    expect(find([...asked, answer('r1', 'u1', { requestRef: undefined })])).toBe('landed');
    const synthetic = { message: { id: 'm', model: '<synthetic>', content: [] } };
    expect(find([...asked, answer('r1', 'u1', synthetic)])).toBe('landed');
    const empty = {
      message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: '' }] },
    };
    expect(find([...asked, answer('r1', 'u1', empty)])).toBe('landed');
  });

  test('rule 7: a mark that a person quotes proves nothing', () => {
    const quoting = `what does ${text} mean?`;
    const quoted = [user('u1', quoting), request('r1', [hashOf(quoting)]), answer('r1', 'u1')];
    expect(find(quoted)).toBe('none');
    // Nor is a message that a hook carried proven by a prompt that begins with its mark.
    expect(find([...asked, answer('r1', 'u1')], mark)).toBe('none');
  });

  test('rule 51: what a hook says in our words is no prompt', () => {
    const woken = user('u1', text, { origin: { kind: 'task-notification' } });
    expect(find([woken, request('r1', [hashOf(text)]), answer('r1', 'u1')])).toBe('none');
    expect(find([user('u1', text, { isSidechain: true }), answer('r1', 'u1')])).toBe('none');
  });

  test('rule 51d: taken out by Esc, the next request is answered without it', () => {
    const next = 'never mind';
    const rewound = [
      ...[...asked, user('u2', next, { parentUuid: 'u1' })],
      ...[request('r2', [hashOf(next)]), answer('r2', 'u2')],
    ];
    expect(find(rewound)).toBe('passed');
  });

  test('rule 6: left without an answer, it is seen when a later request holds it', () => {
    const next = 'go on';
    const riding = [
      ...[...asked, answer('r1', 'u1', { isApiErrorMessage: true })],
      user('u2', next, { parentUuid: 'answer-r1' }),
      ...[request('r2', [hashOf(next)], { base: 'r1', keep: 1 }), answer('r2', 'u2')],
    ];
    expect(find(riding)).toBe('seen');
  });

  test('rule 6: so it is where both are parts of one message, which has a name of its own', () => {
    const next = 'go on';
    const part = (words: string) => ({ type: 'text', text: words });
    const riding = (first: string) => [
      ...[...asked, answer('r1', 'u1', { isApiErrorMessage: true })],
      {
        ...{ type: 'api-request-blob', hash: 'both' },
        message: { role: 'user', content: [part(first), part(next)] },
      },
      ...[request('r2', ['both']), user('u2', next, { parentUuid: 'answer-r1' })],
      answer('r2', 'u2'),
    ];
    expect(find(riding(text))).toBe('seen');
    // Rule 7: a part that only quotes our line is another's.
    expect(find(riding(`somebody wrote ${text}`))).toBe('passed');
  });

  test('rule 51: queued behind a running turn, it is held there; recalled, it is taken out', () => {
    const queued = { type: 'queue-operation', operation: 'enqueue', content: text };
    expect(find([queued])).toBe('queued');
    expect(find([queued, { type: 'queue-operation', operation: 'popAll' }])).toBe('recalled');
    const joined = {
      type: 'attachment',
      ...{ uuid: 'a1', parentUuid: 'u0' },
      attachment: { type: 'queued_command', commandMode: 'prompt', prompt: text },
    };
    expect(find([queued, joined])).toBe('landed');
  });
});

/**
 * Recorded with the real 2.1.325 by `test/lab/evidence/claude-code.ts`: what its records say of
 * each prompt in the end, in the order in which they were pasted.
 */
test.each([
  ['prompt-idle', ['seen', 'seen']],
  // Two messages under one mark.
  ['prompt-together', ['seen']],
  // Fenced tasks, as an agent gives them to the one that it launched.
  ['prompt-task', ['seen', 'seen']],
  // Its request failed, and it rode with the next prompt.
  ['prompt-500', ['seen', 'seen']],
  ['prompt-401', ['seen', 'seen']],
  // Behind a turn of a person's own, and a prompt that the person had queued.
  ['prompt-queued', ['seen']],
  // The second was taken back with Esc before any output.
  ['prompt-escape', ['seen', 'passed', 'seen']],
  // Quoted by the model and by a peer's notice; then a prompt of ours.
  ['prompt-quoted', ['none', 'seen']],
])('rules 6, 7, 51: %s, as it was recorded', (name, expected) => {
  const file = new URL(`./recordings/2.1.325/${name}.jsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const [head, ...records] = lines.map((line) => JSON.parse(line) as Json);
  const marks = Object.entries(head?.['marks'] as Record<string, { readonly route: string }>);
  const prompts = marks.filter(([, { route }]) => route === 'paste');
  expect(prompts.map(([one]) => find(records, promptKey(one)))).toEqual(expected);
  // Nothing proves them before the model has answered.
  const silent = records.filter(({ type }) => type !== 'assistant');
  for (const [one] of prompts) expect(find(silent, promptKey(one))).not.toBe('seen');
});
