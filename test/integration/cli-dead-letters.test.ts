import { expect, test } from 'vitest';
import type { InboxList } from '../../src/protocol/messages.ts';
import type { ChangedLetters } from '../../src/protocol/printed.ts';
import { type Box, openBox, overdue } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

async function listDead(box: Box): Promise<readonly string[]> {
  return (await box.ask<InboxList>('dead-letters', 'list')).messages.map(({ id }) => id);
}

test('O6: dead-letters list shows what expired or died, with the reason, and no bounces', async () => {
  const box = await openBox('worker', 'peer', 'lead');
  await box.ask('agents', 'add', 'gone', '--parent', 'lead');
  const expired = await box.send('worker', 'too late', { ...overdue, from: 'peer' });
  const dead = await box.send('gone', 'nobody there');
  // The peer's bounce to nobody: it dies with its recipient and needs no attention (rule 34).
  await box.runAs('lead', ['rm', 'gone']);
  const listed = await box.ask<InboxList>('dead-letters', 'list');
  expect(Object.keys(listed)).toEqual(['messages', 'remaining']);
  expect(listed.messages.map(({ id, state, reason }) => [id, state, reason])).toEqual([
    [expired, 'expired', undefined],
    [dead, 'dead', 'recipient_removed'],
  ]);
  await box.ask('rm', 'peer');
  expect(await listDead(box)).toEqual([expired, dead]);
  const { stdout } = await box.run(['dead-letters', 'list']);
  expect(stdout).toMatch(/^ID +STATE +KIND +WAY +AGE +SIZE +TEXT\n/);
  expect(stdout).toMatch(/dead: recipient_removed +message +user → gone .* nobody there\n/);
});

test('O6: an agent sees its own dead letters alone, and may not retry or discard them: exit 5', async () => {
  const box = await openBox('worker', 'peer');
  const mine = await box.send('worker', 'x', { ...overdue, from: 'peer' });
  const other = await box.send('worker', 'x', overdue);
  const ended = await box.runAs('peer', ['dead-letters', 'list', '--json']);
  expect(ended.json<InboxList>().messages.map(({ id }) => id)).toEqual([mine]);
  for (const verb of ['retry', 'discard']) {
    const refused = await box.runAs('peer', ['dead-letters', verb, mine, '--json']);
    expectFault(refused, 5, 'not-allowed', /only the user may/);
  }
  expect(await listDead(box)).toEqual([mine, other]);
});

test('retry puts an expired message back, with its time to live forgiven', async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'x', overdue);
  await box.list('worker');
  const retried = await box.ask('dead-letters', 'retry', id);
  expect(retried).toMatchObject({ id, state: 'queued' });
  expect(retried).not.toHaveProperty('expiresAt');
  expect(await listDead(box)).toEqual([]);
  const again = await box.run(['dead-letters', 'retry', id, '--json']);
  expectFault(again, 5, 'wrong-state', /is queued, not dead or expired/);
  const { messages, deadLetters } = await box.drain('worker');
  expect(messages).toMatchObject([{ id, body: 'x' }]);
  expect(deadLetters).toBe(0);
});

test('retry of a message whose recipient has been removed is refused: exit 5', {
  tags: ['full'],
}, async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'x');
  await box.ask('rm', 'worker');
  const ended = await box.run(['dead-letters', 'retry', id, '--json']);
  expectFault(ended, 5, 'not-allowed', /its recipient has been removed/);
  // Another agent of the same name is another agent.
  await box.ask('agents', 'add', 'worker');
  expectFault(await box.run(['dead-letters', 'retry', id, '--json']), 5, 'not-allowed');
  expect((await box.drain('worker')).messages).toEqual([]);
});

test('discard hides it from lists and counts; its story stays; a retry brings it back', {
  tags: ['full'],
}, async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'x', overdue);
  await box.list('worker');
  expect((await box.run(['dead-letters', 'discard', id])).stdout).toBe(`${id} discarded\n`);
  expect(await listDead(box)).toEqual([]);
  expect((await box.explain(id)).message.state).toBe('expired');
  expect((await box.drain('worker')).deadLetters).toBe(0);
  const { stdout } = await box.run(['dead-letters', 'retry', id]);
  expect(stdout).toBe(`${id} is queued\n`);
  expect((await box.drain('worker')).messages).toMatchObject([{ id }]);
  expectFault(await box.run(['dead-letters', 'discard', id, '--json']), 5, 'wrong-state', /acked/);
});

test('O6: dead letters never make a drain fail: it counts them and ends with 0', async () => {
  const box = await openBox('worker');
  await box.send('worker', 'x', overdue);
  await box.send('worker', 'y');
  const ended = await box.run(['inbox', 'drain', 'worker']);
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/\ny\n\n1 dead: signalbox dead-letters list\n$/);
});

test('unknown messages are exit 3', async () => {
  const box = await openBox();
  for (const verb of ['retry', 'discard']) {
    const ended = await box.run(['dead-letters', verb, 'msg_0', '--json']);
    expectFault(ended, 3, 'message-not-found');
  }
});

test('rules 34, 35: what died because the user removed its recipient needs no attention, and its sender is told', {
  tags: ['full'],
}, async () => {
  const box = await openBox('worker', 'peer');
  const open = await box.send('worker', 'never taken', { from: 'peer' });
  const taken = await box.send('worker', 'taken, and nobody knows', { from: 'peer' });
  const held = await box.hold('drain.injected', ['inbox', 'drain', 'worker']);
  await held.kill();
  const late = await box.send('worker', 'sent after that', { from: 'peer' });
  const { stdout } = await box.run(['rm', 'worker']);
  expect(stdout).toBe(
    'worker removed: of its open messages 2 may have been read, 1 never read; living senders told\n',
  );
  expect(await listDead(box)).toEqual([]);
  expect((await box.run(['doctor'])).code).toBe(0);
  const { messages } = await box.drain('peer');
  const bodyOf = (id: string) => messages.find(({ replyTo }) => replyTo?.includes(id))?.body;
  for (const id of [open, taken]) {
    expect(bodyOf(id)).toMatch(/is given up: the agent was removed.*\nIt may have been read/);
  }
  expect(bodyOf(late)).toMatch(/was not delivered: the agent was removed.*\nIt was never read\./);
});

test('retry --all puts back all that it can; one that fails is named, exit 1, and stops no other', async () => {
  const box = await openBox('worker', 'lead');
  await box.ask('agents', 'add', 'gone', '--parent', 'lead');
  const first = await box.send('worker', 'one', overdue);
  const lost = await box.send('gone', 'two');
  // What died since the user removed its recipient needs no attention, and is not listed (rule 35).
  await box.runAs('lead', ['rm', 'gone']);
  const second = await box.send('worker', 'three', overdue);
  await box.list('worker');
  const ended = await box.run(['dead-letters', 'retry', '--all', '--json']);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`signalbox: ${lost}: `);
  const { messages, failed } = ended.json<ChangedLetters>();
  expect(messages.map(({ id, state }) => [id, state]).toSorted()).toEqual(
    [
      [first, 'queued'],
      [second, 'queued'],
    ].toSorted(),
  );
  expect(failed?.map(({ id, error }) => [id, error.code])).toEqual([[lost, 'not-allowed']]);
  expect(await listDead(box)).toEqual([lost]);
  expect(await box.run(['dead-letters', 'discard', '--all'])).toMatchObject({
    code: 0,
    stdout: `${lost} discarded\n`,
  });
  expect(await box.run(['dead-letters', 'retry', '--all'])).toMatchObject({
    code: 0,
    stdout: 'there are no dead letters\n',
  });
});

test('retry and discard take several messages, and refuse none at all, or --all beside a message', async () => {
  const box = await openBox('worker');
  const ids = [await box.send('worker', 'one', overdue), await box.send('worker', 'two', overdue)];
  await box.list('worker');
  for (const words of [[], [...ids, '--all']]) {
    const refused = await box.run(['dead-letters', 'retry', ...words, '--json']);
    expectFault(refused, 2, 'usage', /You named/);
  }
  const retried = await box.ask<ChangedLetters>('dead-letters', 'retry', ...ids);
  expect(retried.messages.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(await listDead(box)).toEqual([]);
});
