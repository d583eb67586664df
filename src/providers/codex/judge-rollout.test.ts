import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asObject, type Json, parseObject } from '../../shared/json.ts';
import { createRolloutJudge } from './judge-rollout.ts';

const mark = 'mark_01a_secret';
const folder = join(import.meta.dirname, 'recordings');
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

/**
 * Rollouts of real runs (test/lab/evidence/codex.ts); the first line says what was found and what
 * the model really got.
 */
test.each(names)('rule 6: %s is judged as it was when it was recorded', (name) => {
  const [head = {}, ...records] = readRecording(name);
  const judge = createRolloutJudge();
  for (const record of records) judge.take(record, name);
  for (const [mark, said] of Object.entries(asObject(head['marks']))) {
    const { found, model } = asObject(said);
    const finding = judge.find(mark);
    // Held, absent and the like are the queue's to tell: the rollout knows nothing of them.
    expect(finding?.found).toBe(isOfRollout(found) ? found : undefined);
    if (finding?.found === 'seen') expect(model).toContain('finished');
  }
});

test('rule 6: an input alone is landed, and what the model says, thinks or calls after it makes it seen', () => {
  const outputs = [
    said('assistant'),
    { type: 'reasoning', id: 'r1', summary: [{ type: 'summary_text', text: 'Hm' }] },
    { type: 'reasoning', id: 'r2', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] },
    { type: 'reasoning', id: 'r3', summary: [], encrypted_content: 'c2VjcmV0' },
    { type: 'function_call', id: 'c1' },
    { type: 'custom_tool_call', id: 'c2' },
    { type: 'local_shell_call', id: 'c3' },
    { type: 'web_search_call', id: 'c4' },
  ];
  for (const output of outputs) {
    const judge = judgeOf([input(mark)]);
    expect(judge.find(mark)?.found).toBe('landed');
    judge.take(item(output), 'r.jsonl');
    expect(judge.find(mark)?.found).toBe('seen');
  }
});

test('rule 43: an answer or a thought that holds nothing proves nothing', () => {
  const empty = [
    said('assistant', ''),
    said('assistant', ' \n'),
    { type: 'message', id: 'm1', role: 'assistant', content: [] },
    { type: 'reasoning', id: 'r1' },
    { type: 'reasoning', id: 'r1', summary: [], content: null, encrypted_content: '' },
    { type: 'reasoning', id: 'r1', summary: [{ type: 'summary_text', text: '' }] },
  ];
  const judge = judgeOf([input(mark), ...empty.map((payload) => item(payload))]);
  expect(judge.find(mark)?.found).toBe('landed');
  judge.take(item(said('assistant')), 'r.jsonl');
  expect(judge.find(mark)?.found).toBe('seen');
});

test('rule 42: a person who breaks its turn off is told of, until the model has read it (recorded)', () => {
  const [head = {}, ...records] = readRecording('escape.jsonl');
  const judge = createRolloutJudge();
  const told = new Set<string>();
  for (const record of records) {
    judge.take(record, 'escape.jsonl');
    for (const one of Object.keys(asObject(head['marks']))) {
      const finding = judge.find(one);
      if (finding?.isInterrupted) told.add(finding.found);
    }
  }
  expect([...told]).toEqual(['landed']);
});

test('rule 6: what is not the model, proves nothing', () => {
  const others = [
    said('user'),
    said('developer'),
    { type: 'function_call_output', output: mark },
    { type: 'ghost_snapshot' },
  ].map((payload) => item(payload));
  const forged = { ...item(said('assistant')), metadata: { client_authored: true } };
  const judge = judgeOf([input(mark), ...others, forged, event({ type: 'token_count' })]);
  expect(judge.find(mark)?.found).toBe('landed');
});

test.each([
  ['the user role alone: notifications, hooks and context have it, too', item(said('user', mark))],
  ['the model', item(said('assistant', mark))],
  ['a tool', item({ type: 'function_call_output', output: mark })],
  ['a tool call', item({ type: 'function_call', arguments: mark })],
  [
    'an item of the model',
    event({ type: 'item_completed', item: { type: 'AgentMessage', content: [text(mark)] } }),
  ],
  ['a summary', { type: 'compacted', payload: { message: mark } }],
  [
    'the client’s name for another text',
    event({ type: 'item_completed', item: { type: 'UserMessage', client_id: mark, content: [] } }),
  ],
])('rules 7, 38: a mark that is quoted by %s is no input', (_, record) => {
  const judge = judgeOf([record, item(said('assistant'))]);
  expect(judge.find(mark)).toBeUndefined();
});

test('a mark is a whole word: one that begins like it is another one', () => {
  expect(judgeOf([input(`${mark}x`), item(said('assistant'))]).find(mark)).toBeUndefined();
});

test.each([
  ['failed', event({ type: 'task_complete', turn_id: 't1', error: { message: '401' } })],
  ['was interrupted', event({ type: 'turn_aborted', turn_id: 't1', reason: 'interrupted' })],
])('an input whose turn %s stays, and the next answer proves it', (how, end) => {
  const judge = judgeOf([input(mark), end]);
  expect(judge.find(mark)).toMatchObject({ found: 'landed' });
  expect(judge.find(mark)?.evidence).toContain(how);
  judge.take(item(said('assistant')), 'r.jsonl');
  expect(judge.find(mark)?.found).toBe('seen');
});

test('rules 42, 51: an input whose turn was interrupted before its item was written is in the conversation', () => {
  const typed = {
    ...{ type: 'message', id: 'm1', role: 'user' },
    content: [{ type: 'input_text', text: `<signalbox 9 ${mark}>\nhello` }],
    internal_chat_message_metadata_passthrough: {
      turn_id: 't1',
      content_item_kinds: ['user.text'],
    },
  };
  const aborted = event({ type: 'turn_aborted', turn_id: 't1', reason: 'interrupted' });
  const judge = judgeOf([item(typed), aborted]);
  expect(judge.find(mark)).toMatchObject({ found: 'landed', isInterrupted: true });
  const forged = { ...item(typed), metadata: { client_authored: true } };
  expect(judgeOf([forged, aborted]).find(mark)).toBeUndefined();
});

test('rule 9: an unanswered input that a person went back behind is removed; an answered one stays seen', () => {
  const other = 'mark_02b_secret';
  const numbered = (ordinal: number, record: Json): Json => ({ ...record, ordinal });
  const judge = judgeOf([
    numbered(1, input(other)),
    numbered(2, item(said('assistant'))),
    numbered(3, input(mark)),
    numbered(4, event({ type: 'turn_aborted', turn_id: 't1' })),
    numbered(1, { type: 'session_meta' }),
  ]);
  expect(judge.find(other)?.found).toBe('seen');
  expect(judge.find(mark)).toMatchObject({ found: 'removed', because: 'interrupted' });
  judge.take(numbered(2, item(said('assistant'))), 'r2.jsonl');
  expect(judge.find(mark)?.found).toBe('removed');
  // The person sends what the CLI put into their composer.
  judge.take(numbered(3, input(mark)), 'r2.jsonl');
  expect(judge.find(mark)?.found).toBe('landed');
  judge.take(numbered(4, item(said('assistant'))), 'r2.jsonl');
  expect(judge.find(mark)?.found).toBe('seen');
});

test('O5: records of any shape are passed over', () => {
  const judge = judgeOf([{}, { type: 'event_msg' }, { type: 'response_item', payload: null }]);
  judge.take({ type: 'event_msg', payload: { type: 'item_completed', item: [1] } }, 'r.jsonl');
  expect(judge.find(mark)).toBeUndefined();
});

test('the evidence names the records, and the file by its name alone', () => {
  const { evidence = '' } = judgeOf([input(mark), item(said('assistant'))]).find(mark) ?? {};
  expect(evidence).toBe('assistant message m1 follows user message u1 of turn t1 in r.jsonl');
});

function judgeOf(records: readonly Json[]) {
  const judge = createRolloutJudge();
  for (const record of records) judge.take(record, 'r.jsonl');
  return judge;
}

function event(payload: Json): Json {
  return { type: 'event_msg', payload };
}

function item(payload: Json): Json {
  return { type: 'response_item', payload };
}

function input(words: string): Json {
  const content = [text(`<signalbox ${words}>\nhello\n</signalbox ${words}>`)];
  return event({
    type: 'item_completed',
    turn_id: 't1',
    item: { type: 'UserMessage', id: 'u1', client_id: words, content },
  });
}

function text(words: string): Json {
  return { type: 'text', text: words };
}

function said(role: string, words = 'hello'): Json {
  return { type: 'message', id: 'm1', role, content: [{ type: 'output_text', text: words }] };
}

function isOfRollout(found: unknown): boolean {
  return found === 'seen' || found === 'landed' || found === 'removed';
}

function readRecording(name: string): readonly Json[] {
  return readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseObject(line) ?? {});
}
