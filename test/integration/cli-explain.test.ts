import { expect, test } from 'vitest';
import type { Explanation, MessageView, SendResult } from '../../src/protocol/messages.ts';
import { openPerson } from '../support/person.ts';
import { openBox, overdue } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

test('explain prints the whole story: the message, every move and every attempt', async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'x');
  await box.drain('worker');
  const story = await box.ask<Explanation>('explain', id);
  expect(Object.keys(story)).toEqual(['message', 'history', 'attempts']);
  expect(story.history).toEqual([
    { at: iso, from: null, to: 'queued', cause: 'accepted' },
    {
      ...{ at: iso, from: 'queued', to: 'claimed', code: 'claimed', attempt: 1 },
      cause: 'claimed for the pull route',
    },
    {
      ...{ at: iso, from: 'claimed', to: 'injected', code: 'put-in', attempt: 1 },
      cause: 'handed out',
    },
    {
      ...{ at: iso, from: 'injected', to: 'acked', code: 'taken', attempt: 1 },
      cause: 'taken by user for worker',
    },
  ]);
  expect(story.attempts).toEqual([
    { number: 1, at: iso, route: 'pull', epoch: 0, outcome: 'acked' },
  ]);
});

test('explain tells it in words too, and what has to happen next', async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'the text');
  const waiting = (await box.run(['explain', id])).stdout;
  expect(waiting).toMatch(/queued {6}accepted \(fsynced\)/);
  expect(waiting).toContain('It waits for worker to drain its inbox.');
  const held = await box.hold('drain.injected', ['inbox', 'drain', 'worker']);
  const during = (await box.run(['explain', id])).stdout;
  expect(during).toContain('nothing yet proves that it was read');
  await held.kill();
  const after = (await box.run(['explain', id])).stdout;
  expect(after).toMatch(/uncertain {3}its holder \(pid \d+\) died/);
  expect(after).toMatch(/attempt 1 .*pull: uncertain/);
  expect(after).toContain('the next drain hands it out again, marked');
});

test('messages are named by their numbers wherever a person reads of them; documents keep the ids', async () => {
  const box = await openBox('worker');
  const asked = await box.send('worker', 'What is it?');
  const answer = ['send', 'user', 'It is this.', '--from', 'worker', '--reply-to', asked];
  const { id: answered } = (await box.run([...answer, '--json'])).json<SendResult>();
  const story = (await box.run(['explain', 'worker:1'])).stdout;
  expect(story).toContain('answered by user:1');
  // Once, in full: the line that says which id it is.
  expect(story.match(/msg_/g)).toHaveLength(1);
  const shown = (await box.run(['inbox', 'show', 'user:1'])).stdout;
  expect(shown).toMatch(/^worker → user {2}user:1 {2}message, .*, re worker:1\n/);
  const drained = (await box.run(['inbox', 'drain'])).stdout;
  expect(drained).toMatch(/, re worker:1\nIt is this\./);
  await box.send('user', 'More.');
  expect((await box.run(['inbox', 'ack', '2'])).stdout).toBe('user:2 acked\n');
  const document = await box.ask<MessageView>('inbox', 'show', answered);
  expect(document.replyTo).toEqual([asked]);
});

test('explain breaks no word on a terminal of 80 columns', async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'x');
  await box.drain('worker');
  const person = await openPerson(box.home, 80);
  const { screen, rows } = await person.type(['explain', id]);
  expect(screen).toContain('taken by user for worker');
  expect(rows.every((row) => row.length < 80)).toBe(true);
});

test('explain settles what is due first: a time to live that passed is told, not hidden', async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'x', overdue);
  const { message, history } = await box.ask<Explanation>('explain', id);
  expect(message.state).toBe('expired');
  expect(history.at(-1)?.code).toBe('expired');
});

test('explain of an id that nobody knows is exit 3, however odd the id', async () => {
  const box = await openBox('worker');
  for (const id of ['msg_0', 'worker', '', "x' or 1=1 --", '\u001b[2J']) {
    const ended = await box.run(['explain', '--json', '--', id]);
    expectFault(ended, 3, 'message-not-found');
    expect(ended.stderr).not.toContain('\u001b');
  }
});
