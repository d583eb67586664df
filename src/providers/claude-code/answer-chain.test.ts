import { expect, test } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { TranscriptJudge } from './judge.ts';

/**
 * Records in the older form (2.1.240, 2.1.280): no requests, and an answer names only the record
 * that it follows.
 */
const mark = 'mark_01h_secret';
const text = `<signalbox ${mark}>\nhello\n</signalbox ${mark}>`;
let last: string | null = null;

const add = (uuid: string, record: Json): Json => {
  const linked = { uuid, parentUuid: last, ...record };
  last = uuid;
  return linked;
};
const woken = (promptId = 'p1'): Json =>
  add('w', {
    type: 'user',
    promptId,
    origin: { kind: 'task-notification' },
    message: { role: 'user', content: text },
  });
const prompt = (promptId: string): Json =>
  add(`u-${promptId}`, {
    type: 'user',
    promptId,
    origin: { kind: 'human' },
    message: { role: 'user', content: 'more' },
  });
const context = (): Json =>
  add('h', {
    type: 'attachment',
    attachment: { type: 'hook_additional_context', content: [text] },
  });
const word = [{ type: 'text', text: 'Yes.' }];
const answer = (uuid: string, id = `msg_${uuid}`, content: unknown = word, more: Json = {}): Json =>
  add(uuid, {
    type: 'assistant',
    message: { id, role: 'assistant', model: 'claude-opus-5', content },
    ...more,
  });
const result = (): Json =>
  add('t', { type: 'user', promptId: 'p1', message: { content: [{ type: 'tool_result' }] } });
const interruption = (): Json =>
  add('i', {
    type: 'user',
    promptId: 'p1',
    message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] },
  });
const failure = (): Json =>
  add('e', { type: 'assistant', isApiErrorMessage: true, message: { model: '<synthetic>' } });

test('rule 6: in the older form, an answer in the same turn is one to what stands above it', () => {
  expect(find(woken(), answer('a'))).toMatchObject({
    kind: 'seen',
    record: 'assistant record a of the same turn holds user record w',
  });
  expect(find(prompt('p1'), answer('a'), result(), context(), answer('b')).kind).toBe('seen');
  expect(find(prompt('p1'), answer('a'), context(), answer('b')).kind).toBe('seen');
});

test('rule 6: whatever a batch’s order in the file, the chain is the same', () => {
  expect(find(...[woken(), answer('a')].toReversed()).kind).toBe('seen');
  const records = [prompt('p1'), answer('a'), result(), context(), answer('b')];
  expect(find(...records.toReversed()).kind).toBe('seen');
});

test.each([
  ['an interruption', interruption],
  ['a failure of the API', failure],
  ['a turn that only began', () => prompt('p1')],
])(
  'rule 6: an answer in a later turn proves nothing, for a person may have gone back: %s',
  (_, end) => {
    const records = [woken(), end(), prompt('p2'), answer('a')];
    expect(find(...records)).toMatchObject({ kind: 'passed' });
  },
);

const end = (uuid: string, messageCount: number): Json =>
  add(uuid, { type: 'system', subtype: 'turn_duration', messageCount });

test('rule 6: what rides with a later turn is proven by its end, if the conversation has lost nothing', () => {
  const ride = (count: number) => {
    const records = [prompt('p0'), answer('a'), end('d1', 2), woken(), failure(), end('d2', 5)];
    return [...records, prompt('p2'), answer('b'), end('d3', count)];
  };
  expect(find(...ride(8))).toEqual({
    kind: 'seen',
    record: 'assistant record b of a later turn holds user record w',
  });
  // A person went back: before the failure, before it all, and with more after it than there was
  // before.
  for (const count of [7, 5, 2, 9, 11]) expect(find(...ride(count)).kind).toBe('passed');
  expect(find(...ride(8).toReversed()).kind).toBe('seen');
  expect(find(...ride(7).toReversed()).kind).toBe('passed');
  // From the middle of a file, by the end of the turn before it; without one nobody knows.
  expect(find(...ride(8).slice(2)).kind).toBe('seen');
  expect(find(...ride(8).slice(3)).kind).toBe('passed');
});

test('rule 6: the end of a turn without an answer below the text proves nothing', () => {
  expect(find(prompt('p0'), answer('a'), woken(), failure(), end('d', 4)).kind).toBe('landed');
  expect(find(woken(), prompt('p2'), failure(), end('d', 3)).kind).toBe('landed');
});

test('rule 6: nor does the answer of a resume, or one after it', () => {
  const resumed = add('c', {
    type: 'user',
    promptId: 'p2',
    isMeta: true,
    message: { content: 'Continue' },
  });
  expect(find(woken(), resumed, failure()).kind).toBe('landed');
  expect(find(woken(), prompt('p2'), failure(), answer('a')).kind).toBe('passed');
});

test('rule 6: an answer that had begun above the text was asked for without it', () => {
  const records = [prompt('p1'), answer('a', 'msg_1'), result(), context(), answer('b', 'msg_1')];
  const next = answer('c', 'msg_2');
  expect(find(...records).kind).toBe('landed');
  expect(find(...records, next).kind).toBe('seen');
});

test.each([
  ['no content', []],
  ['an empty text', [{ type: 'text', text: '' }]],
  ['an empty thought', [{ type: 'thinking', thinking: '' }]],
])('rule 43: a record with %s is no output', (_, content) => {
  expect(find(woken(), answer('a', 'msg_a', content)).kind).toBe('landed');
});

test.each([
  ['a thought', [{ type: 'thinking', thinking: 'Well.' }]],
  ['a call of a tool', [{ type: 'tool_use', name: 'Bash' }]],
])('rule 43: a record with %s is output', (_, content) => {
  expect(find(woken(), answer('a', 'msg_a', content)).kind).toBe('seen');
});

test.each([
  ['a sub-agent’s', { isSidechain: true }],
  ['one of no chain', { parentUuid: null }],
  ['one below a record that is not there', { parentUuid: 'gone' }],
])('rules 6, 38: %s answer proves nothing', (_, more) => {
  expect(find(woken(), answer('a', 'msg_a', word, more)).kind).toBe('landed');
});

test('rule 6: where requests are on record, the chain counts for nothing', () => {
  const request = { type: 'api-request', id: 'r', tail: [], keep: 0 };
  expect(find(request, woken(), answer('a')).kind).toBe('landed');
});

test('a chain in a circle ends', () => {
  const records = [
    woken(),
    { ...answer('a'), parentUuid: 'b' },
    { ...answer('b'), parentUuid: 'a' },
  ];
  expect(find(...records).kind).toBe('landed');
});

function find(...records: readonly Json[]) {
  last = null;
  const judged = new TranscriptJudge();
  for (const record of records) judged.take(record);
  return judged.find(mark);
}
