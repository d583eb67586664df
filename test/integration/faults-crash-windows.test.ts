import { describe, expect, test } from 'vitest';
import { messageStates } from '../../src/messages/transitions.ts';
import type { RemoveResult } from '../../src/protocol/agents.ts';
import type { DrainResult } from '../../src/protocol/messages.ts';
import { sweepList } from '../support/sweep.ts';
import { type Box, fill, openBox, releaseEverywhere } from './fixtures/box.ts';

const drain = ['inbox', 'drain', 'worker', '--json'];

async function states(box: Box): Promise<readonly string[]> {
  const { messages } = await box.list('worker', messageStates);
  return messages.map(({ state }) => state);
}

describe('a drain killed with -9', () => {
  const windows = { 'drain.claimed': [], 'drain.injected': [], 'drain.printed': ['x', 'y'] };

  test.each(Object.entries(windows))(
    'rules 3, 10, 16, 18, O3: at %s leaves uncertain; the next one hands out exactly once more, marked',
    async (place, printed) => {
      const box = await openBox('worker');
      await box.send('worker', 'x');
      await box.send('worker', 'y');
      const killed = await (await box.hold(place, drain)).kill();
      expect(killed.signal).toBe('SIGKILL');
      const seen = killed.stdout === '' ? [] : killed.json<DrainResult>().messages;
      expect(seen.map(({ body }) => body)).toEqual(printed);
      expect(await states(box)).toEqual(['uncertain', 'uncertain']);
      const next = await box.drain('worker');
      expect(next.messages.map(({ body, repeat, attempts }) => [body, repeat, attempts])).toEqual([
        ['x', true, 2],
        ['y', true, 2],
      ]);
      expect(await states(box)).toEqual(['acked', 'acked']);
      expect((await box.drain('worker')).messages).toEqual([]);
    },
  );

  test('rule 10: again and again, is repeated without limit, and marked each time', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('worker');
    const id = await box.send('worker', 'x');
    for (const place of ['drain.claimed', 'drain.printed', 'drain.injected', 'drain.printed']) {
      await (await box.hold(place, drain)).kill();
    }
    const { messages } = await box.drain('worker');
    expect(messages).toMatchObject([{ id, repeat: true, attempts: 5 }]);
    const { message, attempts } = await box.explain(id);
    expect(message.state).toBe('acked');
    // Of those that were cut off one after another the first is kept, and the next one counts the
    // others.
    expect(attempts).toMatchObject([
      { number: 1, outcome: 'uncertain' },
      { number: 5, outcome: 'acked', folded: 3 },
    ]);
  });

  test('O3: after its ack is on disk hands out nothing again', async () => {
    const box = await openBox('worker');
    await box.send('worker', 'x');
    const killed = await (await box.hold('drain.acked', drain)).kill();
    expect(killed.json()).toMatchObject({ messages: [{ body: 'x' }] });
    expect(await states(box)).toEqual(['acked']);
    expect((await box.drain('worker')).messages).toEqual([]);
  });
});

test('O4: a send killed before its commit leaves nothing, not even a lock; after it, the whole message', async () => {
  const box = await openBox('worker');
  const send = (body: string) => ['send', 'worker', body];
  await (await box.hold('ledger.uncommitted', send('before'))).kill();
  expect(await states(box)).toEqual([]);
  await (await box.hold('ledger.committed', send('after'))).kill();
  await box.send('worker', 'later');
  const { messages } = await box.drain('worker');
  expect(messages.map(({ body, repeat }) => [body, repeat])).toEqual([
    ['after', undefined],
    ['later', undefined],
  ]);
});

describe('while a drain lives', () => {
  test.each(sweepList(['drain.injected', 'drain.claimed', 'drain.printed']))(
    'rules 1, 18, O3: held at %s, another gets what it does not hold, and only that',
    async (place) => {
      const box = await openBox('worker');
      await box.send('worker', 'held');
      const held = await box.hold(place, drain);
      const empty = await box.drain('worker');
      expect(empty).toEqual({ messages: [], remaining: 0, deadLetters: 0 });
      await box.send('worker', 'free');
      expect(await box.drain('worker')).toMatchObject({ messages: [{ body: 'free' }] });
      const ended = await held.release();
      expect(ended.json()).toMatchObject({ messages: [{ body: 'held', attempts: 1 }] });
      expect(ended.json<DrainResult>().messages[0]).not.toHaveProperty('repeat');
      expect(await states(box)).toEqual(['acked', 'acked']);
    },
  );

  test('D2, O3: six at once partition an inbox: each message goes to exactly one', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('worker');
    const sent: string[] = [];
    for (let i = 0; i < 12; i++) sent.push(await box.send('worker', String(i)));
    const ended = await Promise.all(
      Array.from({ length: 6 }, () => box.run([...drain, '--max', '2'])),
    );
    const got = ended.map((one) => one.json<DrainResult>().messages.map(({ id }) => id));
    expect(got.flat().sort()).toEqual([...sent].sort());
    // Each of them kept the order.
    for (const ids of got) expect(ids).toEqual([...ids].sort());
  });

  test('rule 18: an ack by id wins: claimed, it is not handed out; injected, it is acked once', async () => {
    const box = await openBox('worker');
    const [a, b] = [await box.send('worker', 'a'), await box.send('worker', 'b')];
    const claimed = await box.hold('drain.claimed', drain);
    await box.runAs('worker', ['inbox', 'ack', a]);
    const first = (await claimed.release()).json<DrainResult>();
    expect(first.messages.map(({ id }) => id)).toEqual([b]);
    const c = await box.send('worker', 'c');
    const injected = await box.hold('drain.injected', drain);
    await box.runAs('worker', ['inbox', 'ack', c]);
    const second = (await injected.release()).json<DrainResult>();
    expect(second.messages.map(({ id }) => id)).toEqual([c]);
    for (const id of [a, b, c]) {
      const { message, history } = await box.explain(id);
      expect(message.state).toBe('acked');
      expect(history.filter(({ to }) => to === 'acked')).toHaveLength(1);
    }
  });
});

describe('rm while a drain lives', () => {
  test('rule 35: waits for it to end, and then settles what is left', async () => {
    const box = await openBox('worker');
    const id = await box.send('worker', 'in flight');
    const held = await box.hold('drain.claimed', drain);
    const left = await box.send('worker', 'left');
    // Its first commit is a look for what is due: it has found the attempt in flight, and waits.
    const removal = await box.hold('ledger.committed', ['rm', 'worker', '--json']);
    expect((await held.release()).json()).toMatchObject({ messages: [{ body: 'in flight' }] });
    const { removed } = (await releaseEverywhere(removal)).json<RemoveResult>();
    expect(removed).toMatchObject([{ settled: 1 }]);
    expect((await box.explain(id)).message.state).toBe('acked');
    expect((await box.explain(left)).message.state).toBe('dead');
  });

  test('rules 16, 35, 36: goes ahead after 5 s; what was only claimed is then not printed, what was injected is taken back from the dead', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('worker', 'peer');
    const [claimed, injected] = [await box.send('worker', 'a'), await box.send('peer', 'b')];
    const early = await box.hold('drain.claimed', drain);
    const late = await box.hold('drain.injected', ['inbox', 'drain', 'peer', '--json']);
    const removals = await Promise.all([
      box.ask<RemoveResult>('rm', 'worker'),
      box.ask<RemoveResult>('rm', 'peer'),
    ]);
    expect(removals.map(({ removed }) => removed[0]?.settled)).toEqual([1, 1]);
    const bounces = (await box.drain('user')).messages;
    expect(bounces.map(({ replyTo }) => replyTo?.[0]).sort()).toEqual([claimed, injected].sort());
    for (const { body } of bounces) expect(body).toContain('It may have been read');
    expect((await early.release()).json<DrainResult>().messages).toEqual([]);
    expect((await late.release()).json()).toMatchObject({ messages: [{ body: 'b' }] });
    expect((await box.explain(claimed)).message.state).toBe('dead');
    expect((await box.explain(injected)).message.state).toBe('acked');
    const news = (await box.drain('user')).messages;
    expect(news).toMatchObject([{ kind: 'notice', replyTo: [injected] }]);
  });
});

test('rule 35, O12: a removal killed half-way is finished by the next command, whatever that is', async () => {
  const box = await openBox('worker', 'other');
  const bodies = Array.from({ length: 250 }, (_, i) => `message ${i}`);
  await fill(box.home, 'worker', bodies);
  // Its first commit removes the agent and settles the first of its messages.
  const killed = await (await box.hold('ledger.committed', ['rm', 'worker'])).kill();
  expect(killed.signal).toBe('SIGKILL');
  const told = async () => (await box.list('user')).messages.length;
  const ended = await box.run(['ls', '--json']);
  expect(ended.stdout).not.toContain('"worker"');
  expect(await told()).toBe(bodies.length);
  // The user removed it: what died of that needs no attention, in the half that the next command
  // settled too.
  expect(await box.ask('dead-letters', 'list')).toMatchObject({ messages: [] });
});
