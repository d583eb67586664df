import type { LedgerTransaction } from '../store/ledger.ts';

const hourMs = 3_600_000;

/** Rule 19: one more block, if there is one left; on disk before anything is taken. `isFresh`: it has been idle since the last. */
export async function reserveBlock(
  tx: LedgerTransaction,
  agent: string,
  given: { readonly limit: number; readonly now: number; readonly isFresh: boolean },
): Promise<boolean> {
  const known = given.isFresh ? undefined : await tx.turns.findBudget(agent, 'blocks');
  const used = known?.used ?? 0;
  if (used >= given.limit) return false;
  const since = known?.since ?? given.now;
  await tx.turns.setBudget(agent, 'blocks', { used: used + 1, since });
  return true;
}

/** Rule 21: turns begun within an hour. */
export async function isWakeSpent(
  tx: LedgerTransaction,
  agent: string,
  given: { readonly limit: number; readonly now: number },
): Promise<boolean> {
  const known = await tx.turns.findBudget(agent, 'wakes');
  return known !== undefined && isSameHour(known.since, given.now) && known.used >= given.limit;
}

export async function countWake(tx: LedgerTransaction, agent: string, now: number): Promise<void> {
  const known = await tx.turns.findBudget(agent, 'wakes');
  const budget =
    known && isSameHour(known.since, now)
      ? { used: known.used + 1, since: known.since }
      : { used: 1, since: now };
  await tx.turns.setBudget(agent, 'wakes', budget);
}

/** It came to nothing: no turn has begun. */
export async function takeBackWake(tx: LedgerTransaction, agent: string): Promise<void> {
  const known = await tx.turns.findBudget(agent, 'wakes');
  if (!known || known.used === 0) return;
  await tx.turns.setBudget(agent, 'wakes', { used: known.used - 1, since: known.since });
}

/** A clock that was set back begins a new hour. */
function isSameHour(since: number, now: number): boolean {
  return now >= since && now - since < hourMs;
}
