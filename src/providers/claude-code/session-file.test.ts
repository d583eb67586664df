import { expect, test } from 'vitest';
import { readSessionFile } from './session-file.ts';

/** As 2.1.325 writes it, shortened. */
const file = { pid: 15503, sessionId: '23d2', procStart: '1158800', version: '2.1.325' };
const read = (more: object) => readSessionFile(JSON.stringify({ ...file, ...more }), '1158800');

test.each([
  [{ status: 'idle' }, { status: 'idle' }],
  [{ status: 'busy' }, { status: 'processing' }],
  [
    { status: 'waiting', waitingFor: 'permission prompt' },
    { status: 'waiting', detail: 'permission' },
  ],
  [
    { status: 'waiting', waitingFor: 'input needed' },
    { status: 'waiting', detail: 'question' },
  ],
  [
    { status: 'waiting', waitingFor: 'dialog open' },
    { status: 'waiting', detail: 'dialog' },
  ],
  [
    { status: 'waiting', waitingFor: 'a word of next year' },
    { status: 'waiting', detail: 'dialog' },
  ],
  [{}, undefined],
  [{ status: 'a word of next year' }, undefined],
])('%j is %j', (more, report) => {
  expect(read(more)).toEqual({ report, conversation: '23d2' });
});

test('a text met while it is rewritten is unreadable, not an answer', () => {
  expect(readSessionFile('', '1158800')).toBe('unreadable');
  // Seen: the new text stands over the beginning of a longer old one.
  const torn = `${JSON.stringify({ ...file, status: 'idle' })}44,"waitingFor":"dialog open"}`;
  expect(readSessionFile(torn, '1158800')).toBe('unreadable');
});

test.skipIf(process.platform !== 'linux')(
  'a file that a killed process left behind says nothing about the next one with its pid',
  () => {
    expect(readSessionFile(JSON.stringify({ ...file, status: 'idle' }), '1158801')).toBeUndefined();
    expect(readSessionFile(JSON.stringify({ ...file, status: 'idle' }), undefined)).toBeUndefined();
  },
);
