import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { RecordForm } from '../record-form.ts';
import { createShapeReader } from './form.ts';
import { TranscriptJudge } from './judge.ts';
import { isModels, promptKey } from './said-records.ts';

/**
 * By version, made by `test/lab/evidence/claude-code.ts`; the first line says what the lab found
 * and what the mock got.
 */
const folder = new URL('./recordings/', import.meta.url);
const files = readdirSync(folder).flatMap((version) =>
  readdirSync(new URL(`${version}/`, folder)).map((name) => `${version}/${name}`),
);
const recordings = files.map((file) => {
  const lines = readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n');
  const [head, ...records] = lines.map((line) => JSON.parse(line) as Json);
  const marks = Object.entries(head?.['marks'] as Record<string, Told>);
  return { file, marks: marks.map(([one, told]) => [keyOf(one, told), told] as const), records };
});

interface Told {
  readonly route: string;
  readonly found: string;
  readonly model: string;
}

/** Under which the judge keeps it. */
function keyOf(one: string, { route }: Told): string {
  return route === 'paste' ? promptKey(one) : one;
}

describe.each(recordings)('$file', ({ file, marks, records }) => {
  // A conversation that was left has a file of its own.
  const isOneOfTwo = /\/clear/.test(file);

  test.each(marks)(
    'rule 6: %s is seen if and only if the model has answered to it',
    (mark, told) => {
      const { kind } = judge(records).find(mark);
      if (isOneOfTwo && kind === 'none') return;
      expect(kind === 'seen').toBe(told.found === 'seen');
      if (kind === 'seen') expect(told.model).toContain('finished');
    },
  );

  test.each(marks)('rule 6: without the records of the model, %s is not seen', (mark) => {
    const silent = records.filter(({ type }) => type !== 'assistant');
    expect(judge(silent).find(mark).kind).not.toBe('seen');
  });

  test('rule 50: its form is known as soon as the model has answered', () => {
    const form = new RecordForm(createShapeReader());
    for (const record of records) form.take(record);
    expect(form.isForeign).toBe(false);
    const hasAnswer = records.some(isModels);
    expect(form.isKnown).toBe(hasAnswer);
  });

  test.each(marks)('%s is found the same when a batch is written in another order', (mark) => {
    const { kind } = judge(records).find(mark);
    for (const size of [3, 7, 20]) {
      expect(judge(turnRound(records, size)).find(mark).kind === 'seen').toBe(kind === 'seen');
    }
  });
});

test.each(['2.1.240', '2.1.280', '2.1.325'])(
  'in %s, what a killed process left unanswered stands in the resumed conversation until the answer is on record',
  (version) => {
    const { records = [], marks = [] } =
      recordings.find(({ file }) => file === `${version}/answering-killed.jsonl`) ?? {};
    const before = records.slice(0, records.findIndex(isModels));
    // The CLI wrote "No response requested." below it.
    expect(before.some(({ type }) => type === 'assistant')).toBe(true);
    const [left = ['']] = marks;
    expect(judge(before).find(left[0]).kind).toBe('landed');
  },
);

test('rule 42: a person who breaks its turn off is told of, until the model has read it (recorded)', () => {
  const { records = [], marks = [] } =
    recordings.find(({ file }) => file === '2.1.325/escape.jsonl') ?? {};
  const judged = new TranscriptJudge();
  const told = new Set<string>();
  for (const record of records) {
    judged.take(record);
    for (const [one] of marks) {
      const trace = judged.find(one);
      if ('isInterrupted' in trace) told.add(`${one} ${trace.kind}`);
    }
  }
  expect(told.size).toBe(1);
  expect([...told][0]).toMatch(/ landed$/);
  for (const [one] of marks) expect(judged.find(one).kind).toBe('seen');
});

test('rule 42: words of a person that look like an interruption are none', () => {
  const words = [{ type: 'text', text: '[Request interrupted by user]' }];
  const user = { type: 'user', uuid: 'p', message: { role: 'user', content: words } };
  const interrupted = (record: Json) => 'isInterrupted' in judge([woken, record]).find(mark);
  expect(interrupted(user)).toBe(true);
  expect(interrupted({ ...user, origin: { kind: 'human' } })).toBe(false);
});

const mark = 'mark_01h_secret';
const text = `<signalbox ${mark}>\nhello\n</signalbox ${mark}>`;
const woken: Json = {
  type: 'user',
  uuid: 'w',
  origin: { kind: 'task-notification' },
  message: { role: 'user', content: `<task-notification>${text}` },
};
const attached = (attachment: Json): Json => ({ type: 'attachment', uuid: 'w', attachment });
const blob = (content: unknown): Json => ({
  type: 'api-request-blob',
  hash: 'h',
  message: { role: 'user', content },
});
const held = blob([{ type: 'text', text }]);
const ask = (id: string, tail: readonly string[], base?: string, keep = 0): Json => ({
  type: 'api-request',
  id,
  tail,
  keep,
  ...(base === undefined ? {} : { base }),
});
const request = ask('r', ['g', 'h']);
const answer = (requestRef = 'r', more: Json = {}): Json => ({
  type: 'assistant',
  uuid: 'x',
  requestRef,
  message: {
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [{ type: 'text', text: 'Yes' }],
  },
  ...more,
});

test.each([
  ['a woken turn', woken],
  [
    'one that joined the running turn',
    attached({ type: 'queued_command', commandMode: 'task-notification', prompt: text }),
  ],
  ["a hook's context", attached({ type: 'hook_additional_context', content: [text] })],
])('%s lands, and is seen by an answer to a request that holds it', (_, said) => {
  expect(judge([said]).find(mark).kind).toBe('landed');
  expect(judge([held, request, said]).find(mark).kind).toBe('landed');
  const records = [held, request, said, answer()];
  expect(judge(records).find(mark)).toEqual({
    kind: 'seen',
    record: expect.stringMatching(
      /^assistant record x answers request r, which holds \w+ record w$/,
    ),
  });
  expect(judge(records.toReversed()).find(mark).kind).toBe('seen');
});

test('a request holds what it keeps of the one before it', () => {
  const failed = [held, request, woken];
  const next = (keep: number) => [...failed, ask('s', ['i'], 'r', keep), answer('s')];
  expect(judge(next(2)).find(mark).kind).toBe('seen');
  // A person went back to before it: `parentUuid` would not tell.
  expect(judge(next(1)).find(mark)).toEqual({
    kind: 'passed',
    record: 'assistant record x answers request s, which does not hold user record w',
  });
  const later = [...next(1), ask('t', ['j'], 's', 2), answer('t')];
  expect(judge(later).find(mark).kind).toBe('passed');
  const twice = [...failed, ask('s', ['i'], 'r', 2), ask('t', ['j'], 's', 1), answer('t')];
  expect(judge(twice).find(mark).kind).toBe('passed');
  const unknown = [woken, held, ask('s', ['i'], 'lost', 9), answer('s')];
  expect(judge(unknown).find(mark).kind).toBe('passed');
});

test('an answer to a request of before it landed says nothing of it', () => {
  expect(judge([ask('q', ['g']), woken, answer('q')]).find(mark).kind).toBe('landed');
});

const asked = [request, answer()];
test.each([
  ['the words of the model', [{ ...answer(), message: { content: [{ type: 'text', text }] } }]],
  ['a person’s prompt', [{ ...woken, origin: { kind: 'human' } }, held, ...asked]],
  [
    'a tool’s output',
    [
      { ...woken, message: { content: [{ type: 'tool_result', content: text }] } },
      blob([{ type: 'tool_result', content: text }]),
      ...asked,
    ],
  ],
  ['a hook’s output', [attached({ type: 'hook_success', stdout: text }), held, ...asked]],
  ['a queued prompt', [attached({ type: 'queued_command', prompt: text }), held, ...asked]],
  ['a sub-agent', [{ ...woken, agentId: 'a1' }, held, ...asked]],
  ['a side chain', [{ ...woken, isSidechain: true }, held, ...asked]],
  ['a longer mark', [woken, held, ...asked].map(lengthen)],
])('rules 7, 38: %s is no delivery', (_, records) => {
  expect(judge(records).find(mark)).toEqual({ kind: 'none' });
});

test.each([
  ['a failure of the API', { isApiErrorMessage: true }],
  ['the answer that a resume writes', { message: { model: '<synthetic>' }, requestRef: undefined }],
  ['a record that names no request', { requestRef: undefined }],
  ['a synthetic one with a request', { message: { model: '<synthetic>' } }],
  ['one of a sub-agent', { isSidechain: true }],
])('rule 6: %s is no answer', (_, more) => {
  const records = [held, request, woken, answer('r', more)];
  expect(judge(records).find(mark).kind).toBe('landed');
});

test.each([
  ['nothing', []],
  ['an empty text', [{ type: 'text', text: '' }]],
  ['a blank one', [{ type: 'text', text: '\n' }]],
  ['an empty thought', [{ type: 'thinking', thinking: '', signature: '' }]],
])('rule 43: an answer that holds %s proves nothing', (_, content) => {
  const silent = answer('r', { message: { role: 'assistant', content } });
  expect(judge([held, request, woken, silent]).find(mark).kind).toBe('landed');
  expect(judge([held, request, woken, silent, answer()]).find(mark).kind).toBe('seen');
});

test.each([
  ['a thought', { type: 'thinking', thinking: 'Hm', signature: '' }],
  ['a thought that is not shown', { type: 'thinking', thinking: '', signature: 'c2VjcmV0' }],
  ['a thought that is kept back', { type: 'redacted_thinking', data: 'c2VjcmV0' }],
  ['a call', { type: 'tool_use', id: 't', name: 'Bash', input: {} }],
])('rule 43: %s is output', (_, block) => {
  const spoken = answer('r', { message: { role: 'assistant', content: [block] } });
  expect(judge([held, request, woken, spoken]).find(mark).kind).toBe('seen');
});

test('what waits in the queue is told until it leaves, and what a person recalls', () => {
  const enqueue = { type: 'queue-operation', operation: 'enqueue', content: text };
  const other = { type: 'queue-operation', operation: 'enqueue', content: 'a prompt' };
  const dequeue = { type: 'queue-operation', operation: 'dequeue' };
  expect(judge([enqueue]).find(mark).kind).toBe('queued');
  expect(judge([other, enqueue, dequeue]).find(mark).kind).toBe('queued');
  expect(judge([enqueue, dequeue]).find(mark).kind).toBe('none');
  expect(judge([enqueue, woken]).find(mark).kind).toBe('landed');
  const popAll = { type: 'queue-operation', operation: 'popAll', content: text };
  expect(judge([enqueue, popAll]).find(mark).kind).toBe('recalled');
});

test('O5: records of a strange shape are passed over', () => {
  const strange: Json[] = [{}, { type: 7 }, { type: 'user', uuid: {} }, { type: 'attachment' }];
  strange.push({ type: 'api-request', id: 'z', tail: 'h' }, { type: 'api-request-blob' });
  strange.push({ type: 'assistant', uuid: 'y', message: null, requestRef: [] });
  const records = [...strange, held, woken, ...strange, request, ...strange, answer()];
  expect(judge(records).find(mark).kind).toBe('seen');
  const circle = [woken, held, ask('r', [], 's', 3), ask('s', [], 'r', 3), answer('r')];
  expect(judge(circle).find(mark).kind).toBe('passed');
});

test('a turn of many requests is followed to its end', () => {
  const judged = judge([held, request, woken]);
  for (let n = 0; n < 900; n++) {
    judged.take(ask(`r${n}`, [`t${n}`], n === 0 ? 'r' : `r${n - 1}`, 2 + n));
  }
  expect(judged.isFollowing).toBe(true);
  judged.take(answer('r899'));
  expect(judged.find(mark).kind).toBe('seen');
  expect(judged.isFollowing).toBe(false);
});

function judge(records: readonly Json[]): TranscriptJudge {
  const judged = new TranscriptJudge();
  for (const record of records) judged.take(record);
  return judged;
}

function lengthen(record: Json): Json {
  return JSON.parse(JSON.stringify(record).replaceAll(mark, `${mark}x`)) as Json;
}

/** Each run of so many records backwards. */
function turnRound(records: readonly Json[], size: number): readonly Json[] {
  const turned: Json[] = [];
  for (let at = 0; at < records.length; at += size) {
    turned.push(...records.slice(at, at + size).reverse());
  }
  return turned;
}
