import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import type { AttemptTrace } from '../way-in.ts';
import { createJudge } from './judge.ts';

const mark = 'mark_01m7fz57wq00tetqftj04w3q8z_nvztb7yaytv4c83v9hdc9jesj';
const attempt: AttemptTrace = {
  mark,
  route: 'native',
  at: 0,
  isSubmitted: false,
  isAlive: true,
  conversation: 'c',
};

const recordings = readRecordings(join(import.meta.dirname, 'recordings'));

test.each(recordings.map((recording) => [recording.name, recording] as const))(
  'rule 6: the recording %s is judged as the model’s requests were',
  (_, { files, marks }) => {
    const judges = files.map((lines) => judgeOf(lines));
    for (const [one, { found, model }] of Object.entries(marks)) {
      const finding = judges.flatMap((judge) => judge.find({ ...attempt, mark: one }) ?? [])[0];
      // The queue is the extension's to tell, and of a dead process nothing is known.
      const isOfFile = !/^(?:none|unknown|held|absent)$/.test(found);
      expect(finding?.found ?? 'no record').toBe(isOfFile ? found : 'no record');
      if (finding?.found === 'seen') expect(model).toContain('finished');
    }
  },
);

test('rule 42: a person who breaks its turn off is told of, until the model has read it (recorded)', () => {
  const [recording] = recordings.filter(({ name }) => name === 'esc-before-output');
  const [interrupted = '', ...others] = Object.keys(recording?.marks ?? {});
  expect(others).toEqual([]);
  const judge = createJudge('events.jsonl');
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

test('rule 43: an answer that holds no word and calls no tool proves nothing', () => {
  const ours = message('m1', 'i1', mark);
  expect(found(ours, answer('i1', ''))).toBe('landed');
  expect(found(ours, answer('i1', ' \n'))).toBe('landed');
  expect(found(ours, answer('i1', ''), answer('i1'))).toBe('seen');
});

test('rule 6: an answer in the message’s own interaction, or in a later one, makes it seen', () => {
  expect(found(message('m1', 'i1', mark))).toBe('landed');
  expect(found(message('m1', 'i1', mark), answer('i1'))).toBe('seen');
  // That of the turn before may be written after it.
  expect(found(message('m0', 'i0', 'x'), message('m1', 'i1', mark), answer('i0'))).toBe('landed');
  // It stays in the conversation after an abort or a failure.
  const abort = { type: 'abort', data: { reason: 'user initiated' } };
  const later = [message('m2', 'i2', 'next'), answer('i2')];
  expect(found(message('m1', 'i1', mark), abort)).toBe('landed');
  expect(found(message('m1', 'i1', mark), abort, ...later)).toBe('seen');
});

test('what was sent is known by the id that it was given, too', () => {
  const judge = judgeOf(lines(message('m1', 'i1', 'rewritten by a hook'), answer('i1')));
  expect(judge.find(attempt)).toBeUndefined();
  expect(judge.find({ ...attempt, receipt: 'm1' })?.found).toBe('seen');
});

test('rules 24, 51: a pasted prompt that is not ours word for word is told, and no other', () => {
  const text = `<signalbox 7 ${mark}>\nthe user’s own words`;
  const evidenceOf = (told: string, more: object = { text }): string => {
    const judge = judgeOf(lines(message('m1', 'i1', told), answer('i1')));
    return judge.find({ ...attempt, route: 'paste', ...more })?.evidence ?? '';
  };
  expect(evidenceOf(text)).not.toContain('not the message alone');
  for (const told of [`${text}x`, text.slice(0, -1), `mine ${text}`, text.replace('own', 'on')])
    expect(evidenceOf(told)).toContain('not the message alone');
  expect(evidenceOf(`${text}x`, { route: 'native' })).not.toContain('not the message alone');
});

test('rules 6, 7, 38: hooks, tools, the model and sub-agents prove nothing', () => {
  const hook = { type: 'hook.end', data: { output: mark } };
  expect(found(hook, message('m1', 'i1', 'x'), answer('i1'))).toBe('-');
  expect(found(message('m1', 'i1', 'x'), { ...answer('i1', mark) })).toBe('-');
  const below = { ...message('m1', 'i1', mark), agentId: 'a1' };
  expect(found(below, answer('i1'))).toBe('-');
  expect(found(message('m1', 'i1', mark), { ...answer('i1'), agentId: 'a1' })).toBe('landed');
  // It names the message that the interaction began with, not the one that was read.
  const trap = answer('i0');
  Object.assign(trap.data, { originatingMessageId: 'm1' });
  expect(found(message('m1', 'i1', mark), trap)).toBe('landed');
  const empty = answer('i1', '');
  expect(found(message('m1', 'i1', mark), empty)).toBe('landed');
});

test('O5: what is no record is passed over', () => {
  const judge = judgeOf(['{"type":"user.message","da', '7', '{}'].map((x) => Buffer.from(x)));
  expect(judge.find(attempt)).toBeUndefined();
});

function message(messageId: string, interactionId: string, content: string) {
  return { type: 'user.message', data: { content, messageId, interactionId } };
}

function answer(interactionId: string, content = 'Yes.') {
  const data = { messageId: 'a1', content, toolRequests: [], interactionId };
  return { type: 'assistant.message', data };
}

function lines(...records: readonly object[]): readonly Buffer[] {
  return records.map((record) => Buffer.from(JSON.stringify(record)));
}

function judgeOf(all: readonly Buffer[]) {
  const judge = createJudge('events.jsonl');
  for (const line of all) judge.take(line);
  return judge;
}

function found(...records: readonly object[]): string {
  return judgeOf(lines(...records)).find(attempt)?.found ?? '-';
}
