import { expect, test } from 'vitest';
import { writeEnvelope } from '../messages/envelope.ts';
import { toNewMessage } from '../messages/message-store.ts';
import { writePrompt } from '../messages/prompt.ts';
import { createMark } from '../shared/ids.ts';
import { findMarks, isMixed } from './marks.ts';

const mark = createMark();
const row = { kind: 'message', from: 'agt_lead', to: 'agt_me', body: 'Split the work.' } as const;
const message = toNewMessage(
  { ...row, id: 'msg_1', state: 'queued', createdAt: 0, cause: 'accepted' },
  1,
  1,
);

test('rule 12: what we write is told from what a person typed into, whichever way it was written', () => {
  const facts = { at: 0, isOld: () => false, nameOf: (id: string) => id };
  const notice = writeEnvelope(mark, [message], () => ({ name: 'lead', role: 'peer' })).text;
  const prompt = writePrompt(mark, [message], facts).text;
  // Of a life that an older version of signalbox has begun.
  const older = `<signalbox ${mark}>\nSplit the work.\n</signalbox ${mark}>`;
  for (const text of [notice, prompt, older]) {
    expect(findMarks(text)).toEqual([mark]);
    expect([text, isMixed(`${text}\n`, mark)]).toEqual([text, false]);
    expect([text, isMixed(`mine ${text}`, mark)]).toEqual([text, true]);
  }
  for (const text of [notice, older]) {
    expect(isMixed(`${text} and mine`, mark)).toBe(true);
    expect(isMixed(text.slice(0, -1), mark)).toBe(true);
  }
});
