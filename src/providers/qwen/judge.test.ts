import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asArray, asObject, type Json } from '../../shared/json.ts';
import { createJudge } from './judge.ts';

/**
 * Chat files of real conversations with Qwen Code 0.24.4, each after what was found then and was
 * so.
 */
const folder = join(import.meta.dirname, 'recordings');
const recordings = readdirSync(folder).flatMap((name) => {
  const sections: { name: string; head: Json; lines: string[] }[] = [];
  for (const line of readFileSync(join(folder, name), 'utf8').trim().split('\n')) {
    const record = JSON.parse(line) as Json;
    if (record['case'] !== undefined) sections.push({ name, head: record, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
});

test.each(recordings)('rule 6: recorded $name is judged as it was', ({ head, lines }) => {
  const judge = createJudge(Number(head['startedAt']));
  for (const line of lines) judge.take(line);
  for (const each of asArray(head['case']).map(asObject)) {
    const { mark, isSubmitted, isAlive = true } = each;
    const attempt = {
      mark: String(mark),
      at: Number(each['at']),
      isSubmitted: isSubmitted === true,
      isAlive: isAlive === true,
    };
    expect(judge.judge(attempt, { file: 'x', isCurrent: true }).found).toBe(each['found']);
  }
});

const mark = 'mark_01m7fyta2800vvhhbp7shf01w4_secret';
const started = Date.parse('2026-11-15T12:00:00Z');
const before = { timestamp: '2026-11-15T11:00:00Z' };
const says = (text: string) => ({ message: { parts: [{ text }] } });
const prompt = (text: string, more: object = {}) => ({
  type: 'user',
  ...now,
  ...says(text),
  ...more,
});
const now = { timestamp: '2026-11-15T13:00:00Z' };
const ours = prompt(`<signalbox ${mark}> hello </signalbox ${mark}>`);
const answer = (text = 'ok') => ({ type: 'assistant', uuid: 'a', ...says(text) });
const apiError = {
  type: 'system',
  subtype: 'ui_telemetry',
  systemPayload: { uiEvent: { 'event.name': 'qwen-code.api_error', status_code: 401 } },
};
const midTurn = { subtype: 'mid_turn_user_message' };

test('rule 6: only an answer before the next prompt proves it', () => {
  expect(found(ours)).toBe('none');
  expect(found(ours, answer())).toBe('seen');
  expect(found(ours, prompt('next'), answer())).toBe('unknown');
  expect(found(ours, { type: 'tool_result' }, { type: 'system' }, answer())).toBe('seen');
});

test('rule 43: an answer without a word, a thought or a call proves nothing', () => {
  const parts = (...of: readonly object[]) => ({ ...answer(), message: { parts: of } });
  for (const silent of [
    parts(),
    parts({ text: '' }),
    parts({ text: '\n' }),
    parts({ thought: true }),
  ]) {
    expect(found(ours, silent)).toBe('none');
    expect(found(ours, silent, answer())).toBe('seen');
  }
  expect(found(ours, parts({ text: 'Hm', thought: true }))).toBe('seen');
  expect(found(ours, parts({ functionCall: { name: 'read_file' } }))).toBe('seen');
});

test('rule 12: text that an interruption put back is proven when the person sends it', () => {
  expect(found(ours, ours, answer())).toBe('seen');
  expect(found(ours, answer(), ours, prompt('next'))).toBe('seen');
});

test('rule 51d: a prompt without an answer may be back in the composer, and is not in a conversation that went on', () => {
  expect(judgeAll([ours], {})).toMatchObject({ found: 'none', isTakenBackByEsc: true });
  const next = judgeAll([ours, prompt('next'), answer()], {});
  expect(next).toMatchObject({ found: 'unknown', isPassedOver: true });
  const rewound = judgeAll([ours, { type: 'system', subtype: 'rewind' }], {});
  expect(rewound).toMatchObject({ found: 'unknown', isPassedOver: true });
  // The API failed: the next request holds it, and nobody has taken it back.
  expect(judgeAll([ours, apiError], {})).toEqual({
    found: 'landed',
    evidence: expect.any(String),
  });
});

test('a turn that failed is in the next request, unless that one is interrupted', () => {
  expect(found(ours, apiError)).toBe('landed');
  expect(found(ours, apiError, answer())).toBe('seen');
  expect(found(ours, apiError, prompt('next'), answer())).toBe('seen');
  expect(found(ours, apiError, prompt('next'), prompt('third'), answer())).toBe('unknown');
});

test('messages that join a turn together are answered together', () => {
  const joined = { ...ours, ...midTurn };
  expect(found(prompt('base'), answer(), joined, prompt('more', midTurn), answer())).toBe('seen');
  expect(found(prompt('base'), answer(), joined, prompt('next'), answer())).toBe('unknown');
});

test('rules 6, 7, 38: a model, a tool, a task’s end or a command that quotes the mark proves nothing', () => {
  expect(found(prompt('base'), answer(mark))).toBe('none');
  const tool = { type: 'tool_result', ...says(mark) };
  expect(found(prompt('base'), answer(), tool, answer())).toBe('none');
  for (const subtype of ['notification', 'cron', 'goal_runtime', 'realtime_message']) {
    expect(found({ ...ours, subtype }, answer())).toBe('none');
  }
  const command = { type: 'system', subtype: 'slash_command', systemPayload: { text: mark } };
  expect(found(prompt('base'), command, answer())).toBe('none');
});

test('rule 9: after going back, or a summary, what was unanswered is not taken for read', () => {
  for (const subtype of ['rewind', 'chat_compression']) {
    const cut = { type: 'system', subtype };
    expect(found(ours, cut, answer())).toBe('unknown');
    expect(found(ours, apiError, cut, prompt('next'), answer())).toBe('unknown');
    expect(found(ours, answer(), cut)).toBe('seen');
  }
});

test('rule 10: a resume brings every prompt back, and the first answer after it proves it', () => {
  const old = { ...ours, ...before };
  const dead = { isAlive: false };
  expect(judgeAll([old], dead).found).toBe('landed');
  expect(judgeAll([old, prompt('x', before), answer()], dead).found).toBe('landed');
  expect(judgeAll([old, prompt('next'), answer()], dead).found).toBe('seen');
  expect(judgeAll([old, prompt('x', before), answer(), prompt('y'), answer()], dead).found).toBe(
    'seen',
  );
  expect(judgeAll([old, prompt('next'), prompt('third'), answer()], dead).found).toBe('unknown');
  const back = { type: 'system', subtype: 'rewind' };
  expect(judgeAll([old, back, prompt('next'), answer()], dead).found).toBe('unknown');
});

test('rule 10: after a death, what was never submitted to an agent at rest is absent; else nobody knows', () => {
  const rested = [prompt('x', before), { ...answer(), ...before }];
  const dead = { isAlive: false };
  expect(judgeAll(rested, dead).found).toBe('absent');
  expect(judgeAll([], dead).found).toBe('absent');
  expect(judgeAll([...rested, prompt('resumed'), answer()], dead).found).toBe('absent');
  expect(judgeAll([prompt('x', before), { ...apiError, ...before }], dead).found).toBe('absent');
  expect(judgeAll(rested, { ...dead, isSubmitted: true }).found).toBe('unknown');
  expect(judgeAll([...rested, '{"type":"us'], dead).found).toBe('unknown');
  expect(judgeAll(['too-long', ...rested], dead).found).toBe('unknown');
  expect(judgeAll(rested, {}).found).toBe('none');
});

test('rule 10: what may have joined a turn that went on is not absent: no hook tells that', () => {
  const dead = { isAlive: false };
  const call = { message: { parts: [{ functionCall: { id: 'call_1' } }] } };
  const begun = prompt('x', before);
  expect(judgeAll([begun], dead).found).toBe('unknown');
  expect(judgeAll([begun, { ...answer(), ...call, ...before }], dead).found).toBe('unknown');
  const late = { timestamp: new Date(started - 500).toISOString() };
  expect(judgeAll([begun, { ...answer(), ...late }], dead).found).toBe('unknown');
});

test('rule 42: a conversation that was left has no next request', () => {
  const left = judgeAll([{ ...ours, ...before }], { isAlive: false, isCurrent: false });
  expect(left).toMatchObject({ found: 'landed', isLeft: true });
  expect(judgeAll([ours, answer()], { isCurrent: false }).found).toBe('seen');
});

test('records of another shape are passed over (O5)', () => {
  const odd = [{}, { type: 'user' }, { type: 'user', message: { parts: 'x' } }, { type: 7 }, []];
  expect(found(...odd, ours, answer())).toBe('seen');
});

function found(...records: readonly object[]): string {
  return judgeAll(records, {}).found;
}

function judgeAll(
  records: readonly (object | string)[],
  { isCurrent = true, ...more }: { isAlive?: boolean; isSubmitted?: boolean; isCurrent?: boolean },
) {
  const judge = createJudge(started);
  for (const record of records) {
    judge.take(typeof record === 'string' ? record : JSON.stringify(record));
  }
  const attempt = { mark, at: started - 1000, isAlive: true, isSubmitted: false, ...more };
  return judge.judge(attempt, { file: 'chat.jsonl', isCurrent });
}
