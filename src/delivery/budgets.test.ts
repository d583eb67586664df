import { expect, test } from 'vitest';
import { userAgentId } from '../agents/agent.ts';
import type { Message } from '../messages/message.ts';
import { toNewMessage } from '../messages/message-store.ts';
import { MemoryLedger } from '../store/memory/ledger.ts';
import { countWake, listSpent, reserveBlock, takeBackWake } from './budgets.ts';

const agent = 'agt_1';
const hourMs = 3_600_000;

test('rule 19: so many blocks in a row, and none more until it was idle', async () => {
  const ledger = new MemoryLedger();
  const reserve = (isFresh: boolean, limit = 3) =>
    ledger.write((tx) => reserveBlock(tx, agent, { limit, now: 0, isFresh }));
  expect(await reserve(true)).toBe(true);
  expect(await reserve(false)).toBe(true);
  expect(await reserve(false)).toBe(true);
  expect(await reserve(false)).toBe(false);
  expect(await reserve(true)).toBe(true);
  expect(await reserve(false, 1)).toBe(false);
});

test('rule 19: a limit of nothing allows nothing, not even the first', async () => {
  const ledger = new MemoryLedger();
  const given = { limit: 0, now: 0, isFresh: true };
  expect(await ledger.write((tx) => reserveBlock(tx, agent, given))).toBe(false);
});

const limits = { wakes: 2, scripts: 1 };
const isSpent = (ledger: MemoryLedger, now: number) =>
  ledger.read(async (tx) =>
    (await listSpent(tx, agent, { limits, now })).map(({ budget }) => budget),
  );
const count = (ledger: MemoryLedger, now: number, ...messages: readonly Partial<Message>[]) =>
  ledger.write((tx) => countWake(tx, agent, messages.map(complete), now));

function complete(more: Partial<Message>): Message {
  const draft = { kind: 'message', from: 'agt_2', to: agent, body: '' } as const;
  const row = { ...draft, id: 'msg_1', state: 'queued', createdAt: 0, cause: '' } as const;
  return { ...toNewMessage(row, 1), ...more };
}

test('rule 21: turns begun are counted within the hour of the first of them', async () => {
  const ledger = new MemoryLedger();
  expect(await isSpent(ledger, 1000)).toEqual([]);
  await count(ledger, 1000, {});
  expect(await isSpent(ledger, 1000)).toEqual([]);
  await count(ledger, 2000, {});
  expect(await isSpent(ledger, 2000)).toEqual(['wakes']);
  expect(await isSpent(ledger, 1000 + hourMs - 1)).toEqual(['wakes']);
  expect(await isSpent(ledger, 1000 + hourMs)).toEqual([]);
  await count(ledger, 1000 + hourMs, {});
  expect(await isSpent(ledger, 1000 + hourMs)).toEqual([]);
});

test('rule 21: what the user wrote and the answer to a task of its own are not counted', async () => {
  const ledger = new MemoryLedger();
  for (let n = 0; n < 100; n++)
    await count(ledger, n, { from: userAgentId }, { answersTask: true });
  expect(await isSpent(ledger, 100)).toEqual([]);
});

test('rule 21: scripts of the user have a budget of their own', async () => {
  const ledger = new MemoryLedger();
  await count(ledger, 0, { from: userAgentId, isScript: true });
  expect(await isSpent(ledger, 0)).toEqual(['scripts']);
});

test('rule 21: a wake counts once in each budget that something in it comes out of', async () => {
  const ledger = new MemoryLedger();
  const script = { from: userAgentId, isScript: true };
  await count(ledger, 0, { from: userAgentId }, script, {}, {});
  const used = (kind: 'wakes' | 'scripts') =>
    ledger.read(async (tx) => (await tx.turns.findBudget(agent, kind))?.used);
  expect([await used('wakes'), await used('scripts')]).toEqual([1, 1]);
});

test('rule 5: a clock that was set back begins a new hour, and holds nothing back', async () => {
  const ledger = new MemoryLedger();
  await count(ledger, 10 * hourMs, {});
  await count(ledger, 10 * hourMs, {});
  expect(await isSpent(ledger, hourMs)).toEqual([]);
});

test('rule 21: a wake that was refused has begun no turn, and is not counted', async () => {
  const ledger = new MemoryLedger();
  const takeBack = () => ledger.write((tx) => takeBackWake(tx, agent, [complete({})]));
  await count(ledger, 0, {});
  await takeBack();
  await takeBack();
  expect(await ledger.read((tx) => tx.turns.findBudget(agent, 'wakes'))).toMatchObject({ used: 0 });
});
