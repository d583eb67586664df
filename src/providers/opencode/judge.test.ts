import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asArray, asObject, type Json } from '../../shared/json.ts';
import { judgeMessage, type MessageFact, readFact } from './judge.ts';
import { deriveMessageId } from './message-id.ts';
import { findTurnEnds } from './turn-end.ts';

/**
 * Messages of real conversations with OpenCode 1.18.33, each after what was found then and was so.
 */
const folder = join(import.meta.dirname, 'recordings');
const recordings = readdirSync(folder).flatMap((name) => {
  const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n');
  const sections: { name: string; head: Json; messages: Json[] }[] = [];
  for (const line of lines.map((text) => JSON.parse(text) as Json)) {
    if (line['case'] !== undefined) sections.push({ name, head: line, messages: [] });
    else sections.at(-1)?.messages.push(line);
  }
  return sections;
});

test.each(recordings)('rule 6: recorded $name is judged as it was', ({ head, messages }) => {
  const facts = messages.flatMap((raw) => readFact(raw) ?? []);
  for (const { mark, found } of asArray(head['case']).map(asObject)) {
    const finding = judgeMessage(
      facts,
      deriveMessageId({ mark: String(mark), at: 0 }),
      String(head['session']),
    );
    expect(finding.found).toBe(found);
  }
});

test('rule 26: recorded turn ends have the identity and the outcome that were told', () => {
  const ends = recordings.flatMap(({ head, messages }) => {
    const found = findTurnEnds(messages, String(head['session']), { since: 0, isAll: true });
    const told = asObject(head['turnEnd']);
    const last = found.at(-1);
    if (!last || last.id !== told['id']) return [];
    const { endedAt: _at, held: _held, why: _why, text, ...end } = last;
    return [{ end: { ...end, ...(text ? { text } : {}) }, told }];
  });
  for (const { end, told } of ends) expect(end).toEqual(told);
  expect(new Set(ends.map(({ end }) => end.outcome))).toEqual(
    new Set(['completed', 'failed', 'interrupted']),
  );
});

const user = (id: string, more: Partial<MessageFact> = {}): MessageFact => ({
  id,
  isUser: true,
  parent: undefined,
  output: undefined,
  isSummary: false,
  compacts: false,
  error: undefined,
  ...more,
});
const step = (id: string, parent: string, more: Partial<MessageFact> = {}): MessageFact => ({
  ...user(id),
  isUser: false,
  parent,
  output: 'text',
  ...more,
});
const found = (...messages: readonly MessageFact[]) =>
  judgeMessage(messages, 'ours', 'ses_a').found;

test('rule 6: an answer that was only asked for proves nothing, one that says something does', () => {
  expect(found(user('ours'))).toBe('landed');
  expect(found(user('ours'), step('a', 'ours', { output: undefined }))).toBe('landed');
  const failed = { output: undefined, error: 'APIError' };
  expect(found(user('ours'), step('a', 'ours', failed))).toBe('landed');
  expect(found(user('ours'), step('a', 'ours'))).toBe('seen');
  // Broken off in the middle: the model has had it.
  expect(found(user('ours'), step('a', 'ours', { error: 'MessageAbortedError' }))).toBe('seen');
});

test.each([
  ['nothing', []],
  ['the start of a step', [{ type: 'step-start' }]],
  [
    'steps that began and said nothing',
    [{ type: 'step-start' }, { type: 'text', text: '' }, { type: 'step-start' }],
  ],
  ['an empty thought', [{ type: 'step-start' }, { type: 'reasoning', text: '' }]],
  ['an empty answer to its end', [{ type: 'step-start' }, { type: 'step-finish', reason: 'stop' }]],
])('rule 43: an answer that holds %s proves nothing', (_, parts) => {
  expect(judgeParts(parts)).toBe('landed');
  expect(judgeParts([...parts, { type: 'text', text: 'Yes' }])).toBe('seen');
  expect(judgeParts([...parts, { type: 'reasoning', text: 'Hm' }])).toBe('seen');
  expect(judgeParts([...parts, { type: 'tool', tool: 'bash', state: {} }])).toBe('seen');
});

function judgeParts(parts: readonly object[]): string {
  const raw = [
    { info: { id: 'ours', role: 'user' }, parts: [] },
    { info: { id: 'msg_2', role: 'assistant', parentID: 'ours' }, parts },
  ];
  return found(...raw.flatMap((message) => readFact(message) ?? []));
}

test('rule 6: a later step proves it only when its request was put together after it came', () => {
  const before = [user('base'), user('ours')];
  expect(found(...before, step('a', 'base'))).toBe('landed');
  expect(found(...before, step('a', 'base'), step('b', 'ours'))).toBe('seen');
  expect(found(user('ours'), user('later'), step('a', 'later'))).toBe('seen');
  expect(found(step('a', 'base'), user('ours'))).toBe('landed');
});

test('rule 42: a turn that a person broke off before any output is told of, a queued message is not', () => {
  const aborted = { output: undefined, error: 'MessageAbortedError' };
  const judge = (...messages: readonly MessageFact[]) => judgeMessage(messages, 'ours', 'ses_a');
  expect(judge(user('ours'), step('a', 'ours', aborted)).isInterrupted).toBe(true);
  // Both were in the request that was broken off.
  expect(judge(user('ours'), user('b'), step('a', 'b', aborted)).isInterrupted).toBe(true);
  // Another turn was: this one waits, and is released.
  const waiting = judge(user('base'), step('a', 'base', aborted), user('ours'));
  expect(waiting).toMatchObject({ found: 'landed' });
  expect(waiting.isInterrupted).toBeUndefined();
  const failed = { output: undefined, error: 'APIError' };
  expect(judge(user('ours'), step('a', 'ours', failed)).isInterrupted).toBeUndefined();
});

test('rule 6: neither a summary nor what comes after one proves that it was in a request', () => {
  const compaction = user('c', { compacts: true });
  expect(found(user('ours'), compaction, step('s', 'c', { isSummary: true }))).toBe('landed');
  const after = [user('go on'), step('b', 'go on')];
  expect(found(user('ours'), compaction, step('s', 'c', { isSummary: true }), ...after)).toBe(
    'landed',
  );
  expect(found(compaction, user('ours'), step('b', 'ours'))).toBe('seen');
});

test('rule 7: whoever quotes a mark has another id, and odd messages are passed over (O5)', () => {
  const quoted = { type: 'text', text: 'mark_01m7fyta2800vvhhbp7shf01w4_secret' };
  const facts = [
    { info: { id: 'msg_1', role: 'user' }, parts: [quoted] },
    {
      info: { id: 'msg_2', role: 'assistant', parentID: 'msg_1' },
      parts: [{ type: 'text', text: 'Yes' }],
    },
    { info: 7 },
    null,
    { info: { id: 'msg_3', role: 'assistant' }, parts: 'x' },
  ].flatMap((raw) => readFact(raw) ?? []);
  expect(facts).toHaveLength(3);
  const id = deriveMessageId({ mark: quoted.text, at: 0 });
  expect(judgeMessage(facts, id, 'ses_a').found).toBe('none');
});
