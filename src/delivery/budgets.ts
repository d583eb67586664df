import { budgetOf } from '../agents/wake-budget.ts';
import type { Message } from '../messages/message.ts';
import type { HoldingBudget } from '../messages/message-store.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { DeliveryLimits } from './parts.ts';

const hourMs = 3_600_000;

/**
 * Rule 19: one more block, if there is one left; on disk before anything is taken. `isFresh`: it
 * has been idle since the last.
 */
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

/** The turns that each budget allows within an hour. */
export type WakeLimits = Pick<DeliveryLimits, HoldingBudget>;

/** A budget that holds messages back, and the wall time at which its next hour begins. */
export interface Spent {
  readonly budget: HoldingBudget;
  readonly limit: number;
  readonly until: number;
}

/** Rule 21: the budgets that allow no further turn within this hour. */
export async function listSpent(
  tx: LedgerTransaction,
  agent: string,
  given: { readonly limits: WakeLimits; readonly now: number },
): Promise<readonly Spent[]> {
  const spent: Spent[] = [];
  for (const budget of ['wakes', 'scripts'] as const) {
    const known = await tx.turns.findBudget(agent, budget);
    const limit = given.limits[budget];
    if (known && isSameHour(known.since, given.now) && known.used >= limit) {
      spent.push({ budget, limit, until: known.since + hourMs });
    }
  }
  return spent;
}

/** A turn begins with these: it counts once in every budget that something in it comes out of. */
export async function countWake(
  tx: LedgerTransaction,
  agent: string,
  messages: readonly Message[],
  now: number,
): Promise<void> {
  for (const budget of budgetsOf(messages)) {
    const known = await tx.turns.findBudget(agent, budget);
    const next =
      known && isSameHour(known.since, now)
        ? { used: known.used + 1, since: known.since }
        : { used: 1, since: now };
    await tx.turns.setBudget(agent, budget, next);
  }
}

/** It came to nothing: no turn has begun. */
export async function takeBackWake(
  tx: LedgerTransaction,
  agent: string,
  messages: readonly Message[],
): Promise<void> {
  for (const budget of budgetsOf(messages)) {
    const known = await tx.turns.findBudget(agent, budget);
    if (!known || known.used === 0) continue;
    await tx.turns.setBudget(agent, budget, { used: known.used - 1, since: known.since });
  }
}

function budgetsOf(messages: readonly Message[]): ReadonlySet<HoldingBudget> {
  return new Set(messages.flatMap((message) => budgetOf(message) ?? []));
}

/** A clock that was set back begins a new hour. */
function isSameHour(since: number, now: number): boolean {
  return now >= since && now - since < hourMs;
}
