import { expect, test } from 'vitest';
import { FakeDelivery, fakeAgentId } from '../../../test/fakes/delivery.ts';
import { FakePen } from '../../../test/fakes/pen.ts';
import { giveNotice } from './notice.ts';

async function setUp(restedMs = 10_000) {
  const fake = await FakeDelivery.open();
  const pen = new FakePen();
  const atRestSince = fake.clock.monotonicMs() - restedMs;
  const view = () => ({ status: 'idle', composer: 'empty', atRestSince }) as const;
  const recipient = fake.recipient({ pen, view });
  return { fake, pen, give: (noticedSeq = 0) => giveNotice(fake.parts, recipient, noticedSeq) };
}

test('O13: after a while at rest with mail, one line tells it to drain; the messages stay queued', async () => {
  const { fake, pen, give } = await setUp();
  const { id, seq } = await fake.send();
  const given = await give();
  expect(pen.submitted).toEqual([
    'signalbox: one message waits for you. Read with: signalbox inbox drain',
  ]);
  expect(given.noticedSeq).toBe(seq);
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
  expect((await give()).noticedSeq).toBeUndefined();
  const first = await fake.send();
  await give(first.seq);
  expect(pen.written).toEqual([]);
  await fake.send();
  await give(first.seq);
  expect(pen.submitted).toEqual([
    'signalbox: 2 messages wait for you. Read with: signalbox inbox drain',
  ]);
});

test('O13, rule 24: a draft stays as it is, and the notice waits', async () => {
  const { fake, pen, give } = await setUp();
  pen.text = 'half a thought';
  await fake.send();
  const given = await give();
  expect(given).toMatchObject({ againInMs: 1000, waitsFor: 'its composer is not proven empty' });
  expect(pen.written).toEqual([]);
});

test('O13: when nobody knows whether the line arrived, it is told again later', async () => {
  const { fake, pen, give } = await setUp();
  pen.answers.push('unknown');
  await fake.send();
  const given = await give();
  expect(given.noticedSeq).toBeUndefined();
  expect(given.againInMs).toBe(60_000);
});

test('rule 21: a notice begins a turn, and is counted as a wake', async () => {
  const { fake, give } = await setUp();
  await fake.send();
  await give();
  const budget = await fake.ledger.read((tx) => tx.turns.findBudget(fakeAgentId, 'wakes'));
  expect(budget?.used).toBe(1);
});
