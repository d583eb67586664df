import { expect, test } from 'vitest';
import { createMark } from '../shared/ids.ts';
import { toNewMessage } from './message-store.ts';
import { writePrompt } from './prompt.ts';
import { isSameText } from './same-text.ts';

const mark = createMark();

/** One prompt with its age, or without it. */
function write(body: string, isOld = false): string {
  const row = { kind: 'message', from: 'agt_user', to: 'agt_me', body } as const;
  const made = { id: 'msg_1', state: 'queued', createdAt: 0, cause: 'accepted' } as const;
  const message = toNewMessage({ ...row, ...made }, 1, 1);
  return writePrompt(mark, [message], { at: 12_000, isOld: () => isOld, nameOf: (id) => id }).text;
}

test('rule 51: a composer’s own way to write tabs and accents is no change', () => {
  const ours = write('cafe\u0301:\tone');
  expect(isSameText(ours, ours.replace('\t', '    '))).toBe(true);
  expect(isSameText(ours, ours.normalize('NFC'))).toBe(true);
  expect(isSameText(ours, ours.replace('\t', ' '))).toBe(false);
});

test('rule 51: a letter more or less is a change, wherever it stands', () => {
  const ours = write('one two');
  const { length } = ours;
  for (let at = 0; at < length; at++) {
    expect(isSameText(ours, `${ours.slice(0, at)}${ours.slice(at + 1)}`)).toBe(false);
    expect(isSameText(ours, `${ours.slice(0, at)}x${ours.slice(at)}`)).toBe(false);
  }
});

test('rule 12: a prompt that is written again, when a further turn has ended, is the same without its age', () => {
  const [young, old] = [write('one two'), write('one two', true)];
  expect(old).toMatch(/· written 12s ago>\none two$/);
  expect(isSameText(young, old)).toBe(true);
  expect(isSameText(young, `${old}x`)).toBe(false);
  // In the user's words it is theirs.
  const quoted = write('<signalbox 9 · written 4 s ago>\nx');
  expect(isSameText(quoted, write('<signalbox 9>\nx'))).toBe(false);
});
