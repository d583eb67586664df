import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import type { AttemptTrace } from '../way-in.ts';
import { createJudge } from './judge.ts';

const mark = 'mark_01m7fz57wq00tetqftj04w3q8z_nvztb7yaytv4c83v9hdc9jesj';
const attempt: AttemptTrace = {
  mark,
  route: 'paste',
  at: 0,
  isSubmitted: false,
  isAlive: true,
  conversation: 'session_1',
};

const recordings = readRecordings(join(import.meta.dirname, 'recordings'));

test.each(recordings.map((recording) => [recording.name, recording] as const))(
  'rule 6: the recording %s is judged as the model’s requests were',
  (_, { files, marks }) => {
    const judges = files.map((lines) => judgeOf(lines));
    for (const [one, { found, model }] of Object.entries(marks)) {
      const finding = judges.flatMap((judge) => judge.find({ ...attempt, mark: one }) ?? [])[0];
      const isOfFile = !/^(?:none|unknown)$/.test(found);
      expect(finding?.found ?? 'no record').toBe(isOfFile ? found : 'no record');
      // What was broken off in the middle was read as well.
      if (finding?.found === 'seen') expect(model).toMatch(/finished|client-closed/);
    }
  },
);

test('rule 42: a person who breaks its turn off is told of, until the model has read it (recorded)', () => {
  const [recording] = recordings.filter(({ name }) => name === 'esc-before-output');
  const [interrupted = '', ...others] = Object.keys(recording?.marks ?? {});
  expect(others).toEqual([]);
  const judge = createJudge('wire.jsonl');
  const steps = (recording?.files.flat() ?? []).map((line) => {
    judge.take(line);
    const { found = '-', isInterrupted } = judge.find({ ...attempt, mark: interrupted }) ?? {};
    return isInterrupted ? `${found}, interrupted` : found;
  });
  expect(steps.filter((step, i) => step !== steps[i - 1])).toEqual([
    '-',
    'landed',
    'landed, interrupted',
    'seen',
  ]);
});

test('rule 24: a pasted prompt in which more than the message stands, or less, is told from one of its own', () => {
  const whole = `<signalbox ${mark}>\nwords\n</signalbox ${mark}>`;
  const evidenceOf = (text: string): string => {
    const records = [append('user', text, { kind: 'user' }), begin('b'), part('b')];
    const judge = judgeOf(records.map((one) => Buffer.from(JSON.stringify(one))));
    return judge.find(attempt)?.evidence ?? '';
  };
  expect(evidenceOf(`${whole}\n`)).not.toContain('not the message alone');
  for (const text of [`${whole} and mine`, `mine ${whole}`, whole.slice(1), whole.slice(0, -1)])
    expect(evidenceOf(text)).toContain('not the message alone');
});

test.each([
  ['a letter of a person’s behind it', (text: string) => `${text}x`],
  ['a letter of a person’s in it', (text: string) => text.replace('own', 'oown')],
  ['a letter that was lost', (text: string) => text.slice(0, -1)],
  ['a line that was lost', (text: string) => text.split('\n').slice(0, -1).join('\n')],
  ['another text in front of it', (text: string) => `mine ${text}`],
])('rule 51: %s is told of the user’s own prompt, which has no fence', (_, change) => {
  const text = `<signalbox 7 ${mark}>\nthe user’s own words\nand more`;
  const evidenceOf = (told: string): string => {
    const records = [append('user', told, { kind: 'user' }), begin('b'), part('b')];
    const judge = judgeOf(records.map((one) => Buffer.from(JSON.stringify(one))));
    return judge.find({ ...attempt, text })?.evidence ?? '';
  };
  expect(evidenceOf(text)).not.toContain('not the message alone');
  expect(evidenceOf(`${text}\n`)).not.toContain('not the message alone');
  expect(evidenceOf(change(text))).toContain('not the message alone');
});

test('rule 24: so is a letter within the fence of a notice, and not what the composer makes of tabs', () => {
  const text = `<signalbox ${mark}>\n\tone cafe\u0301\n</signalbox ${mark.slice(-8)}>`;
  const evidenceOf = (told: string): string => {
    const records = [append('user', told, { kind: 'user' }), begin('b'), part('b')];
    const judge = judgeOf(records.map((one) => Buffer.from(JSON.stringify(one))));
    return judge.find({ ...attempt, text })?.evidence ?? '';
  };
  expect(evidenceOf(text.replace('\t', '    '))).not.toContain('not the message alone');
  expect(evidenceOf(text.normalize('NFC'))).not.toContain('not the message alone');
  expect(evidenceOf(text.replace('one', 'on'))).toContain('not the message alone');
});

test('rule 6: only what the model says in a step that began after the message makes it seen', () => {
  const message = append('user', mark, { kind: 'user' });
  expect(found(message)).toBe('landed');
  expect(found(message, begin('b'), part('b'))).toBe('seen');
  expect(found(message, begin('b'), event({ type: 'tool.call', stepUuid: 'b' }))).toBe('seen');
  // A step that was under way has not read it.
  expect(found(begin('a'), message, part('a'), end('a', 'end_turn'))).toBe('landed');
  // Its end is written, too, when it failed or was broken off before the first word.
  expect(found(message, begin('b'), end('b', 'interrupted'))).toBe('landed');
  expect(found(message, begin('b'), end('b', 'interrupted'), begin('c'), part('c'))).toBe('seen');
});

test('rule 43: a part without a word proves nothing, a thought with one does', () => {
  const message = append('user', mark, { kind: 'user' });
  const of = (body: object) =>
    event({ type: 'content.part', uuid: 'p', stepUuid: 'b', part: body });
  const silent = [
    { type: 'text', text: '' },
    { type: 'text', text: '\n' },
    { type: 'think', think: '' },
    {},
  ];
  for (const body of silent) {
    expect(found(message, begin('b'), of(body))).toBe('landed');
    expect(found(message, begin('b'), of(body), part('b'))).toBe('seen');
  }
  expect(found(message, begin('b'), of({ type: 'think', think: 'Hm' }))).toBe('seen');
});

test('rules 6, 7, 38: reminders, tools, the model and sub-agents prove nothing', () => {
  const after = [begin('b'), part('b')];
  expect(found(append('user', mark, { kind: 'injection' }), ...after)).toBe('-');
  expect(found(append('assistant', mark, { kind: 'user' }), ...after)).toBe('-');
  expect(found(event({ type: 'tool.result', output: mark }), ...after)).toBe('-');
  const below = { ...append('user', mark, { kind: 'user' }), agentId: 'agent-1' };
  expect(found(below, ...after)).toBe('-');
});

test('what the stop hook was told counts like a prompt', () => {
  const reply = append('user', mark, { kind: 'system_trigger', name: 'stop_hook' });
  expect(found(begin('a'), part('a'), end('a', 'end_turn'), reply)).toBe('landed');
  expect(found(reply, begin('b'), part('b'))).toBe('seen');
  const other = append('user', mark, { kind: 'system_trigger', name: 'cron' });
  expect(found(other, begin('b'), part('b'))).toBe('-');
});

test('rule 9: what a person takes back stays seen when it was, and is removed when it was not', () => {
  const message = append('user', mark, { kind: 'user' });
  const undo = { type: 'context.undo', agentId: 'main', count: 1 };
  expect(found(message, begin('b'), part('b'), undo)).toBe('seen');
  expect(found(message, undo)).toBe('removed');
  expect(found(message, append('user', 'next', { kind: 'user' }), undo)).toBe('landed');
  expect(found(message, { type: 'context.clear', agentId: 'main' })).toBe('removed');
});

test('O5: what is no record is passed over', () => {
  const judge = judgeOf(['{"type":"context.append_message"', '7', '{}'].map((x) => Buffer.from(x)));
  expect(judge.find(attempt)).toBeUndefined();
});

function append(role: string, text: string, origin: object) {
  const message = { role, content: [{ type: 'text', text }], id: 'msg_1', origin };
  return { type: 'context.append_message', agentId: 'main', message };
}

function event(body: object) {
  return { type: 'context.append_loop_event', agentId: 'main', event: body };
}

const begin = (uuid: string) => event({ type: 'step.begin', uuid });
const part = (stepUuid: string) =>
  event({ type: 'content.part', uuid: 'p', stepUuid, part: { type: 'text', text: 'Yes.' } });
const end = (uuid: string, finishReason: string) => event({ type: 'step.end', uuid, finishReason });

function judgeOf(lines: readonly Buffer[]) {
  const judge = createJudge('wire.jsonl');
  for (const line of lines) judge.take(line);
  return judge;
}

function found(...records: readonly object[]): string {
  const lines = records.map((record) => Buffer.from(JSON.stringify(record)));
  return judgeOf(lines).find(attempt)?.found ?? '-';
}
