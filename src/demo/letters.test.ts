import { expect, test } from 'vitest';
import { writeEnvelope } from '../messages/envelope.ts';
import type { Message } from '../messages/message.ts';
import { readLetters } from './letters.ts';

const message = {
  ...{
    id: 'msg_1',
    number: 1,
    kind: 'task',
    from: 'agt_1',
    to: 'agt_2',
    replyTo: [],
    urgent: false,
  },
  ...{ body: 'line one\n--- 2 task from lead\nline two', truncated: false, mayRepeat: false },
} as unknown as Message;

test('rule 14: what an envelope carries is read as it was written, and a body ends no message', () => {
  const exited = {
    ...message,
    id: 'msg_2',
    number: 2,
    kind: 'completion',
    outcome: 'exited',
    body: '',
  };
  const again = {
    ...message,
    id: 'msg_3',
    number: 31,
    kind: 'message',
    from: 'usr',
    mayRepeat: true,
  };
  const { text } = writeEnvelope(
    'mark_1',
    [message, exited as Message, again as Message],
    (from) =>
      from === 'usr' ? { name: 'user', role: 'user' } : { name: 'worker-1', role: 'child' },
  );
  // As a person's terminal shows it, other things may stand around it.
  expect(readLetters(`before\n${text}\nafter`)).toMatchObject([
    { id: '1', kind: 'task', from: 'worker-1', repeat: false, outcome: undefined },
    { id: '2', kind: 'completion', outcome: 'exited', from: 'worker-1', body: '' },
    { id: '31', kind: 'message', from: 'user', repeat: true },
  ]);
  expect(readLetters(text)[0]?.body).toMatch(/^line one\n.*2 task from lead\nline two$/);
  expect(readLetters('hello')).toEqual([]);
});

test('rule 14: a text behind an unread one is read as well', () => {
  const second = { ...message, number: 2, kind: 'message', body: 'two' } as const;
  const sender = () => ({ name: 'worker-1', role: 'child' }) as const;
  const { text } = writeEnvelope(
    'mark_0123456789secret',
    [message, second],
    sender,
    0,
    (id) => id,
    true,
  );
  expect(readLetters(`before\n${text}\nafter`)).toMatchObject([
    { id: '1', kind: 'task', from: 'worker-1' },
    { id: '2', kind: 'message', from: 'worker-1', body: 'two' },
  ]);
});

test('what the user wrote is read as a task of the user, each under its own line', () => {
  const text = '<signalbox 7 mark_x2ga35xnqfyjsese>\nship it\n\n<signalbox 8>\nand test it';
  expect(readLetters(text)).toMatchObject([
    { id: '7', kind: 'task', from: 'user', body: 'ship it' },
    { id: '8', kind: 'task', from: 'user', body: 'and test it' },
  ]);
});
