import { describe, expect, test } from 'vitest';
import type { DrainResult, InboxList } from '../../src/protocol/messages.ts';
import { openBox, overdue } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

const nothing = { messages: [], remaining: 0, deadLetters: 0 };

test('inbox drain prints one document, in order, and acks what it printed', async () => {
  const box = await openBox('worker');
  const ids = [await box.send('worker', 'first'), await box.send('worker', 'second')];
  const ended = await box.run(['inbox', 'drain', 'worker', '--json']);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(ended.stdout.split('\n')).toHaveLength(2);
  const document = ended.json<DrainResult>();
  expect(Object.keys(document)).toEqual(['messages', 'remaining', 'deadLetters']);
  expect(document.messages.map(({ id, body }) => [id, body])).toEqual([
    [ids[0], 'first'],
    [ids[1], 'second'],
  ]);
  expect(document.messages[0]).not.toHaveProperty('repeat');
  expect(await box.drain('worker')).toEqual(nothing);
  expect((await box.explain(ids[0] ?? '')).message).toMatchObject({ state: 'acked', attempts: 1 });
});

test('rule 17: --max takes the head and says how many remain; the bound is 1 or more', {
  tags: ['full'],
}, async () => {
  const box = await openBox('worker');
  for (const body of ['a', 'b', 'c']) await box.send('worker', body);
  const head = await box.drain('worker', '--max', '2');
  expect(head).toMatchObject({ messages: [{ body: 'a' }, { body: 'b' }], remaining: 1 });
  const { stdout } = await box.run(['inbox', 'list', 'worker', '--max', '1']);
  expect(stdout).toMatch(/ c\n$/);
  for (const max of ['0', '-1', '1.5', 'many', '', '9007199254740993']) {
    const ended = await box.run(['inbox', 'drain', 'worker', `--max=${max}`, '--json']);
    expectFault(ended, 2, 'usage', /--max/);
  }
  expect(await box.drain('worker', '--max', '1000000')).toMatchObject({ remaining: 0 });
});

test('rule 17: one drain takes at most 16 MiB of bodies, and always at least one message', {
  tags: ['full'],
}, async () => {
  const box = await openBox('worker');
  await box.ask('config', 'set', 'body-limit', '20MiB');
  const input = 'x'.repeat(9 * 1024 * 1024);
  for (const size of [2, 1, 1]) {
    const args = ['send', 'worker', '--file', '-'];
    expect((await box.run(args, { input: input.repeat(size) })).code).toBe(0);
  }
  const sizes = async () => {
    const { messages, remaining } = await box.drain('worker');
    return [messages.map(({ body }) => body.length / input.length), remaining];
  };
  expect(await sizes()).toEqual([[2], 2]);
  expect(await sizes()).toEqual([[1], 1]);
  expect(await sizes()).toEqual([[1], 0]);
});

test('inbox list looks and takes nothing; --state chooses, --max bounds', async () => {
  const box = await openBox('worker');
  const [taken, open] = [await box.send('worker', 'a'), await box.send('worker', 'b')];
  await box.drain('worker', '--max', '1');
  const list = (...args: string[]) => box.ask<InboxList>('inbox', 'list', 'worker', ...args);
  const listed = await list();
  expect(Object.keys(listed)).toEqual(['messages', 'remaining']);
  expect(listed.messages.map(({ id }) => id)).toEqual([open]);
  expect((await list('--state', 'acked')).messages).toMatchObject([{ id: taken }]);
  const all = await list('--state', 'all', '--max', '1');
  expect(all).toMatchObject({ messages: [{ id: taken }], remaining: 1 });
  const both = await list('--state', 'queued, acked');
  expect(both.messages).toHaveLength(2);
  for (const state of ['nothing', '', 'queued,', 'QUEUED', "queued' or 1=1"]) {
    const ended = await box.run(['inbox', 'list', 'worker', `--state=${state}`, '--json']);
    expectFault(ended, 2, 'usage', /There is no state/);
  }
});

test('inbox show prints one whole message, whatever its state, and takes nothing', async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'line one\nline two');
  expect(await box.ask('inbox', 'show', id)).toMatchObject({ id, state: 'queued', attempts: 0 });
  const { stdout } = await box.run(['inbox', 'show', id]);
  expect(stdout).toMatch(/^user → worker {2}worker:1 {2}message, [\d:. -]+\n/);
  expect(stdout).toContain('\nline one\nline two\n');
  await box.drain('worker');
  expect(await box.ask('inbox', 'show', id)).toMatchObject({ state: 'acked' });
  const unknown = await box.run(['inbox', 'show', 'msg_0', '--json']);
  expectFault(unknown, 3, 'message-not-found', /msg_0/);
});

test('inbox ack answers for messages by id, all or none, and twice is as good as once', async () => {
  const box = await openBox('worker');
  const [a, b] = [await box.send('worker', 'a'), await box.send('worker', 'b')];
  const ended = await box.run(['inbox', 'ack', a, 'msg_0', '--json']);
  expectFault(ended, 3, 'message-not-found');
  expect((await box.explain(a)).message.state).toBe('queued');
  expect(await box.ask('inbox', 'ack', a, b, a)).toEqual({
    messages: [
      { id: a, state: 'acked' },
      { id: b, state: 'acked' },
    ],
  });
  expect((await box.run(['inbox', 'ack', a])).stdout).toBe('worker:1 acked\n');
  const { history } = await box.explain(a);
  expect(history.map(({ to }) => to)).toEqual(['queued', 'acked']);
});

test('rule 36: an ack of an expired message wins, and the sender is told again', async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'late', overdue);
  await box.list('worker');
  await box.runAs('worker', ['inbox', 'ack', id]);
  expect((await box.explain(id)).message.state).toBe('acked');
  const { messages } = await box.drain('user');
  expect(messages.map(({ kind, replyTo }) => [kind, replyTo])).toEqual([
    ['bounce', [id]],
    ['notice', [id]],
  ]);
});

describe('whose inbox', () => {
  test('O9: self is the default inside and outside; an agent reaches its own alone: exit 5', async () => {
    const box = await openBox('worker', 'peer');
    const own = await box.send('worker', 'for the worker');
    const other = await box.send('peer', 'for the peer');
    for (const args of [[], ['self'], ['worker']]) {
      const ended = await box.runAs('worker', ['inbox', 'list', ...args, '--json']);
      expect(ended.json()).toMatchObject({ messages: [{ id: own }] });
    }
    const refused = [
      ['inbox', 'drain', 'peer'],
      ['inbox', 'list', 'peer'],
      ['inbox', 'list', 'user'],
      ['inbox', 'show', other],
      ['inbox', 'ack', other],
      ['inbox', 'ack', own, other],
      ['explain', other],
    ];
    const ended = await Promise.all(
      refused.map((args) => box.runAs('worker', [...args, '--json'])),
    );
    for (const one of ended) expectFault(one, 5, 'not-allowed', /"worker"/);
    expect((await box.list('peer')).messages).toHaveLength(1);
    expect((await box.explain(own)).message.state).toBe('queued');
  });

  test('a sender may read what it sent and explain it, but not ack it', async () => {
    const box = await openBox('worker', 'peer');
    const id = await box.send('worker', 'x', { from: 'peer' });
    expect((await box.runAs('peer', ['inbox', 'show', id])).code).toBe(0);
    expect((await box.runAs('peer', ['explain', id])).code).toBe(0);
    expectFault(await box.runAs('peer', ['inbox', 'ack', id, '--json']), 5, 'not-allowed');
  });

  test('outside, the user drains its own inbox or any other', async () => {
    const box = await openBox('worker');
    await box.send('worker', 'for the worker');
    await box.send('user', 'for the user', { from: 'worker' });
    expect(await box.ask('inbox', 'drain')).toMatchObject({ messages: [{ body: 'for the user' }] });
    expect(await box.drain('worker')).toMatchObject({ messages: [{ body: 'for the worker' }] });
    const unknown = await box.run(['inbox', 'drain', 'wroker', '--json']);
    expectFault(unknown, 3, 'agent-not-found');
  });
});

describe('where it runs', () => {
  test('O9: a drain works from cron: an empty environment and another folder', async () => {
    const box = await openBox('worker');
    await box.send('worker', 'nightly');
    const cron = ['env', '-i', `SIGNALBOX_HOME=${box.home}`, 'SIGNALBOX_AGENT=worker', 'PATH=/bin'];
    // Nothing can be made in /proc, not even by root.
    const wrapper = ['sh', '-c', 'cd /proc && exec "$@"', 'sh', ...cron];
    const ended = await box.run(['inbox', 'drain', '--json'], { wrapper });
    expect(ended.json()).toMatchObject({ messages: [{ body: 'nightly' }] });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
  });

  test('O9: a drain works in a folder that has been deleted', async () => {
    const box = await openBox('worker');
    await box.send('worker', 'x');
    const wrapper = ['sh', '-c', 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"'];
    const gone = [...wrapper, `${box.home}/gone`];
    const ended = await box.run(['inbox', 'drain', 'worker', '--json'], { wrapper: gone });
    expect(ended.json()).toMatchObject({ messages: [{ body: 'x' }] });
    const added = await box.run(['agents', 'add', 'late', '--json'], { wrapper: gone });
    expect(added.json()).toMatchObject({ name: 'late', cwd: '' });
  });
});
