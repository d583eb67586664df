import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../../test/fakes/delivery.ts';
import { FakePen } from '../../../test/fakes/pen.ts';
import { evidenceMs } from '../judge-attempt.ts';
import type { RecipientView } from '../recipient.ts';
import { giveNotice, type Notice } from './notice.ts';

async function setUp(restedMs = 10_000) {
  const fake = await FakeDelivery.open();
  const pen = new FakePen();
  const atRestSince = fake.clock.monotonicMs() - restedMs;
  const now: RecipientView = { status: 'idle', composer: 'empty', atRestSince };
  const give = (last?: Notice, view: RecipientView = now) =>
    giveNotice(fake.parts, fake.recipient({ pen, view: () => view }), last);
  return { fake, pen, now, give };
}

test('O13: after a while at rest with mail, one line tells it to drain; the messages stay queued', async () => {
  const { fake, pen, give } = await setUp();
  const { id, seq } = await fake.send();
  const given = await give();
  expect(pen.submitted).toEqual([
    'signalbox: one message waits for you. Read with: signalbox inbox drain',
  ]);
  expect(given.notice?.seq).toBe(seq);
  expect((await fake.find(id)).state).toBe('queued');
});

test('O13: not before that while, and then by itself', async () => {
  const { fake, pen, give } = await setUp(4000);
  await fake.send();
  expect((await give()).againInMs).toBe(6000);
  expect(pen.written).toEqual([]);
});

test('O13: it is told once for what has come since, and never when nothing is pending', async () => {
  const { fake, pen, give } = await setUp();
  expect((await give()).notice).toBeUndefined();
  const first = await fake.send();
  await give({ seq: first.seq, at: 0, times: 1 });
  expect(pen.written).toEqual([]);
  await fake.send();
  await give({ seq: first.seq, at: 0, times: 1 });
  expect(pen.submitted).toEqual([
    'signalbox: 2 messages wait for you. Read with: signalbox inbox drain',
  ]);
});

test('O13, rule 24: a draft stays as it is, and the notice waits', async () => {
  const { fake, pen, give } = await setUp();
  pen.text = 'half a thought';
  await fake.send();
  const given = await give();
  expect(given).toMatchObject({ againInMs: 1000, waitsFor: { code: 'composer-unproven' } });
  expect(pen.written).toEqual([]);
});

test('O13: when nobody knows whether the line arrived, it is told again later', async () => {
  const { fake, pen, give } = await setUp();
  pen.answers.push('unknown');
  await fake.send();
  const given = await give();
  expect(given.notice).toBeUndefined();
  expect(given.againInMs).toBe(60_000);
});

test.each(['copy-mode', 'synchronised', 'input-off'] as const)(
  'rules 21, 45: %s keeps the notice back and costs no wake, also when it comes at the very write',
  async (obstacle) => {
    const { fake, pen, now, give } = await setUp();
    await fake.send();
    const steady = { ...now, emptySince: fake.clock.monotonicMs() - 1000 };
    pen.obstacle = obstacle;
    expect(await give(undefined, steady)).toMatchObject({ waitsFor: { code: obstacle } });
    pen.obstacle = undefined;
    pen.answers.push(obstacle);
    expect(await give(undefined, steady)).toMatchObject({ waitsFor: { code: obstacle } });
    expect(pen.written).toEqual([]);
    const budget = await fake.ledger.read((tx) => tx.turns.findBudget(fakeAgentId, 'wakes'));
    expect(budget?.used ?? 0).toBe(0);
  },
);

test('rule 21: a notice begins a turn, and is counted as a wake', async () => {
  const { fake, give } = await setUp();
  await fake.send({ from: fakeAgentId });
  await give();
  const budget = await fake.ledger.read((tx) => tx.turns.findBudget(fakeAgentId, 'wakes'));
  expect(budget?.used).toBe(1);
});

test('O13: a notice whose turn failed was read by nobody, and is given again once it has rested', async () => {
  const { fake, pen, now, give } = await setUp();
  const { seq } = await fake.send();
  const failed: RecipientView = { ...now, status: 'error' };
  const restsSince = now.atRestSince ?? 0;
  await give({ seq, at: restsSince + 1, times: 1 }, failed);
  expect(pen.written).toEqual([]);
  await give({ seq, at: restsSince - 1, times: 1 }, failed);
  expect(pen.submitted).toHaveLength(1);
});

test('rule 42: a line that an interruption or /new left behind is told again after a minute at rest, three times in all', async () => {
  const { fake, pen, give } = await setUp();
  await fake.send();
  let { notice } = await give();
  for (const times of [2, 3]) {
    expect(await give(notice)).toMatchObject({ againInMs: evidenceMs });
    fake.clock.pass(evidenceMs);
    pen.status = 'idle';
    const again = await give(notice);
    expect(again.notice).toMatchObject({ times });
    notice = again.notice ?? notice;
  }
  fake.clock.pass(10 * evidenceMs);
  expect(await give(notice)).toMatchObject({
    waitsFor: { code: 'told-to-drain' },
    againInMs: undefined,
  });
  expect(pen.submitted).toHaveLength(3);
});

test('rule 53: in the stead of a channel that is gone the line goes at once, in one command with its Enter', async () => {
  const { fake, pen, now } = await setUp(0);
  await fake.send();
  const ways = { takesOver: 'notice', pastesWithEnter: true } as const;
  const recipient = fake.recipient({ pen, view: () => now, ways });
  const given = await giveNotice(fake.parts, recipient, undefined);
  expect(given.waitsFor).toEqual({ code: 'told-to-drain' });
  expect(pen.written).toHaveLength(1);
  expect(pen.submitted).toEqual([
    'signalbox: one message waits for you. Read with: signalbox inbox drain',
  ]);
});
