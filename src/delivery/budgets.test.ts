import { expect, test } from 'vitest';
import { MemoryLedger } from '../store/memory/ledger.ts';
import { countWake, isWakeSpent, reserveBlock, takeBackWake } from './budgets.ts';

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

test('rule 21: turns begun are counted within the hour of the first of them', async () => {
  const ledger = new MemoryLedger();
  const isSpent = (now: number) => ledger.read((tx) => isWakeSpent(tx, agent, { limit: 2, now }));
  const count = (now: number) => ledger.write((tx) => countWake(tx, agent, now));
  expect(await isSpent(1000)).toBe(false);
  await count(1000);
  expect(await isSpent(1000)).toBe(false);
  await count(2000);
  expect(await isSpent(2000)).toBe(true);
  expect(await isSpent(1000 + hourMs - 1)).toBe(true);
  expect(await isSpent(1000 + hourMs)).toBe(false);
  await count(1000 + hourMs);
  expect(await isSpent(1000 + hourMs)).toBe(false);
});

test('rule 5: a clock that was set back begins a new hour, and holds nothing back', async () => {
  const ledger = new MemoryLedger();
  await ledger.write((tx) => countWake(tx, agent, 10 * hourMs));
  const given = { limit: 1, now: hourMs };
  expect(await ledger.read((tx) => isWakeSpent(tx, agent, given))).toBe(false);
});

test('rule 21: a wake that was refused has begun no turn, and is not counted', async () => {
  const ledger = new MemoryLedger();
  await ledger.write((tx) => countWake(tx, agent, 0));
  await ledger.write((tx) => takeBackWake(tx, agent));
  expect(await ledger.read((tx) => isWakeSpent(tx, agent, { limit: 1, now: 1 }))).toBe(false);
  await ledger.write((tx) => takeBackWake(tx, agent));
  expect(await ledger.read((tx) => tx.turns.findBudget(agent, 'wakes'))).toMatchObject({ used: 0 });
});
