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
  conversation: 'c',
};

const recordings = readRecordings(join(import.meta.dirname, 'recordings'));

test.each(recordings.map((recording) => [recording.name, recording] as const))(
  'rules 6, 9: the recording %s is judged as the model’s requests were',
  (_, { files, marks }) => {
    const judges = files.map((lines, at) => judgeOf(lines, `file-${at}.jsonl`));
    for (const [one, { found, model }] of Object.entries(marks)) {
      const wanted = { ...attempt, mark: one };
      const findings = judges.flatMap((judge) => judge.find(wanted) ?? []);
      const best = findings.find((finding) => finding.found === 'seen') ?? findings[0];
      const said = best?.because === undefined ? best?.found : `${best.found} (${best.because})`;
      expect(said ?? 'no record').toBe(
        /^(?:none|absent|unknown)$/.test(found) ? 'no record' : found,
      );
      if (best?.found === 'seen') expect(model).toContain('finished');
      // Rule 49: the model got nothing but requests that were turned down.
      if (best?.because === 'refused') expect(model).toMatch(/^failed(?:, failed)*$/);
    }
  },
);

test('rule 6: only an answer of the model that follows the prompt makes it seen', () => {
  expect(found(prompt('u1', mark))).toBe('landed');
  expect(found(answer('g0'), prompt('u1', mark))).toBe('landed');
  // Written again with its tool's result: no new output.
  expect(found(answer('g0'), prompt('u1', mark), answer('g0'))).toBe('landed');
  expect(found(prompt('u1', mark), answer('g1'))).toBe('seen');
  // What is put into the history without a model is nobody's output.
  expect(found(prompt('u1', mark), { ...answer('g1'), model: undefined })).toBe('landed');
});

test('rule 24: a pasted prompt in which more than the message stands, or less, is told from one of its own', () => {
  const whole = `<signalbox ${mark}>\nwords\n</signalbox ${mark}>`;
  const evidenceOf = (text: string): string => {
    const lines = [prompt('u1', text), answer('g1')].map((one) => Buffer.from(JSON.stringify(one)));
    return judgeOf(lines, 'file.jsonl').find(attempt)?.evidence ?? '';
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
    const records = [prompt('u1', told), answer('g1')];
    const judge = judgeOf(lines(...records));
    return judge.find({ ...attempt, text })?.evidence ?? '';
  };
  expect(evidenceOf(text)).not.toContain('not the message alone');
  expect(evidenceOf(`${text}\n`)).not.toContain('not the message alone');
  expect(evidenceOf(change(text))).toContain('not the message alone');
});

test('rule 51: a file that the user’s words name, which the CLI adds, is no company', () => {
  const text = `<signalbox 7 ${mark}>\n@canary.txt`;
  const evidenceOf = (told: string): string => {
    const added = [{ text: '\nContent from @canary.txt:\n' }, { text: 'a canary' }];
    const named = { id: 'u1', type: 'user', content: [{ text: told }, ...added] };
    return judgeOf(lines(named, answer('g1'))).find({ ...attempt, text })?.evidence ?? '';
  };
  // Recorded with 0.61.0.
  const told = `<signalbox 7 ${mark}>\n @canary.txt`;
  expect(evidenceOf(told)).not.toContain('not the message alone');
  expect(evidenceOf(`${told}x`)).toContain('not the message alone');
});

test('rule 24: so is a letter within the fence of a notice, and not what the composer makes of tabs', () => {
  const text = `<signalbox ${mark}>\n\tone cafe\u0301\n</signalbox ${mark.slice(-8)}>`;
  const evidenceOf = (told: string): string => {
    const records = [prompt('u1', told), answer('g1')];
    const judge = judgeOf(lines(...records));
    return judge.find({ ...attempt, text })?.evidence ?? '';
  };
  expect(evidenceOf(text.replace('\t', '    '))).not.toContain('not the message alone');
  expect(evidenceOf(text.normalize('NFC'))).not.toContain('not the message alone');
  expect(evidenceOf(text.replace('one', 'on'))).toContain('not the message alone');
});

test('rules 6, 7: a mark in a warning, in a tool’s result or in what the model says is no prompt', () => {
  const result = { functionResponse: { response: { output: mark } } };
  expect(found({ id: 'w', type: 'warning', content: `blocked: ${mark}` }, answer('g1'))).toBe('-');
  expect(found({ id: 'u1', type: 'user', content: [result] }, answer('g1'))).toBe('-');
  expect(found(prompt('u1', 'quote'), { ...answer('g1'), content: mark }, answer('g2'))).toBe('-');
  expect(found({ id: 'i', type: 'info', content: mark }, answer('g1'))).toBe('-');
});

test('rule 9: a turn that is taken out again is removed, by a person or a failure', () => {
  const cancelled = { id: 'i', type: 'info', content: 'Request cancelled.' };
  const failed = { id: 'e', type: 'error', content: '[API Error: 401]' };
  expect(because(prompt('u1', mark), cancelled, history())).toBe('interrupted');
  expect(because(prompt('u1', mark), history(), failed)).toBe('failed');
  // Answered in part: by a call of a tool that a person then broke off.
  expect(because(prompt('u1', mark), answer('g1'), cancelled, history())).toBe('interrupted');
  // The reason is written a moment later, or a resume writes its history anew; what is left out
  // then is out at the next prompt.
  const torn = judgeOf(lines(prompt('u1', mark), history()));
  expect(torn.find(attempt)).toMatchObject({ found: 'landed', isBeingTakenOut: true });
  expect(torn.find({ ...attempt, isAlive: false })?.found).toBe('landed');
  for (const line of lines(prompt('u2', 'another'))) torn.take(line);
  expect(torn.find({ ...attempt, isAlive: false })).toMatchObject({
    found: 'removed',
    because: 'interrupted',
  });
});

test('rules 9, 51d: a turn that the guard against loops has halted was broken off by no person', () => {
  const words = 'System: Potential loop detected. Details: Repeating content detected: "a b a b".';
  const halted = prompt('u2', words);
  // As 0.61.0 writes it: the turn is taken out, the words come and go, and the rest when a person
  // has answered.
  const info = { id: 'i', type: 'info', content: 'A potential loop was detected.' };
  expect(because(prompt('u1', mark), history(), halted, history(), info)).toBe('failed');
  expect(because(prompt('u1', mark), history(), halted, prompt('u3', 'next'))).toBe('failed');
  expect(because(prompt('u1', mark), halted, history())).toBe('failed');
  expect(because(prompt('u1', mark), history(), prompt('u2', `He said ${words}`))).toBe(
    'interrupted',
  );
});

test('rule 43: an answer without a word, a thought or a call is no output, until a call of it is recorded', () => {
  const empty = { ...answer('g1'), content: '', thoughts: [], tokens: { output: 0 } };
  const blank = {
    ...empty,
    content: [{ text: ' ' }],
    thoughts: [{ subject: '', description: '' }],
  };
  const called = { ...empty, toolCalls: [{ id: 'c1', name: 'shell' }] };
  expect(found(prompt('u1', mark), empty)).toBe('landed');
  expect(found(prompt('u1', mark), { ...empty, tokens: undefined })).toBe('landed');
  expect(found(prompt('u1', mark), blank)).toBe('landed');
  expect(found(prompt('u1', mark), empty, called)).toBe('seen');
  expect(found(prompt('u1', mark), called)).toBe('seen');
  expect(found(prompt('u1', mark), { ...empty, thoughts: [{ subject: 'Plan' }] })).toBe('seen');
  // So 0.61.0 writes the call of a tool that has not ended: without it, but with what it cost.
  expect(found(prompt('u1', mark), { ...empty, tokens: { output: 4 } })).toBe('seen');
  // The call was made before the prompt; only its result came later.
  expect(found(empty, prompt('u1', mark), called)).toBe('landed');
});

test('rule 49: refused only by a status, at once: a stream that broke, and a second try, may have been read', () => {
  const refusal = '[API Error: {"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}]';
  const end = (content: string, at: string) => ({ id: 'e', type: 'error', content, timestamp: at });
  const asked = { ...prompt('u1', mark), timestamp: '2026-11-16T10:00:00.000Z' };
  const judged = (content: string, at: string) => because(asked, history(), end(content, at));
  const soon = '2026-11-16T10:00:00.900Z';
  expect(judged(refusal, soon)).toBe('refused');
  expect(because(asked, end(refusal, soon), history())).toBe('refused');
  expect(judged(`${refusal}\nPossible quota limitations in place.`, soon)).toBe('refused');
  // A stream that ends too soon is tried again after a second, and of that nothing is recorded
  // (0.61.0).
  expect(judged(refusal, '2026-11-16T10:00:01.000Z')).toBe('failed');
  expect(judged(refusal, '2026-11-16T09:59:59.000Z')).toBe('failed');
  expect(judged(refusal, '')).toBe('failed');
  expect(judged('[API Error: terminated]', soon)).toBe('failed');
  const inStream = '[API Error: got status: INTERNAL. {"error":{"code":500,"message":"no"}}]';
  expect(judged(inStream, soon)).toBe('failed');
  expect(judged('[API Error: {"error":{"code":200}}]', soon)).toBe('failed');
  expect(judged('Model stream ended without a finish reason.', soon)).toBe('failed');
  // Its model had called a tool before.
  expect(because(asked, answer('g1'), end(refusal, soon), history())).toBe('failed');
});

test('rule 9: a summary, and a person who goes back, leave what was seen seen', () => {
  const seen = [prompt('u1', mark), answer('g1')];
  expect(found(...seen, history(prompt('s1', 'summary'), answer('g9')))).toBe('seen');
  expect(found(...seen, { $rewindTo: 'u1' })).toBe('seen');
  expect(because(prompt('u1', mark), { $rewindTo: 'u1' })).toBe('interrupted');
});

test('rule 10: a history that is taken over under new ids holds what it held', () => {
  const seen = [prompt('u1', mark), answer('g1')];
  expect(found(...seen, history(), history(prompt('u8', mark), answer('g8')))).toBe('seen');
  expect(found(prompt('u1', mark), history(prompt('u8', mark)))).toBe('landed');
  expect(found(prompt('u1', mark), history(prompt('u8', mark)), answer('g2'))).toBe('seen');
});

test('O5: what is no record is passed over', () => {
  const judge = judgeOf(
    ['{"id":', '7', 'null', '{}', '{"$set":7}'].map((line) => Buffer.from(line)),
  );
  expect(judge.find(attempt)).toBeUndefined();
});

function prompt(id: string, text: string) {
  return { id, type: 'user', content: [{ text }] };
}

function answer(id: string) {
  return { id, type: 'gemini', content: 'Yes.', model: 'gemini-3' };
}

function history(...messages: readonly object[]) {
  return { $set: { messages } };
}

function lines(...records: readonly object[]): readonly Buffer[] {
  return records.map((record) => Buffer.from(JSON.stringify(record)));
}

function judgeOf(all: readonly Buffer[], file = 'chat.jsonl') {
  const judge = createJudge(file);
  for (const line of all) judge.take(line);
  return judge;
}

function found(...records: readonly object[]): string {
  return judgeOf(lines(...records)).find(attempt)?.found ?? '-';
}

function because(...records: readonly object[]): string | undefined {
  const finding = judgeOf(lines(...records)).find(attempt);
  return finding?.found === 'removed' ? finding.because : finding?.found;
}
