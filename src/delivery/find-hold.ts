// Tests: src/delivery/held.test.ts, src/delivery/pick-route.test.ts.

import type { Agent } from '../agents/agent.ts';
import { isAtRest } from '../agents/remember-turn.ts';
import { budgetOf } from '../agents/wake-budget.ts';
import { describeWait } from '../messages/describe-wait.ts';
import type { Message } from '../messages/message.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { listSpent, type Spent, type WakeLimits } from './budgets.ts';

/** What a budget holds back in one inbox (rule 21). */
export interface Hold extends Spent {
  /** Some of them, from the first on. */
  readonly messages: readonly Message[];
}

/**
 * As many as are looked at, named and told of; a budget that holds more of them says so by the
 * first.
 */
const most = 1000;
const mostBytes = 16 * 1024 * 1024;

/** Undefined while something in the inbox may begin a turn: all that waits goes along with it. */
export async function findHold(
  tx: LedgerTransaction,
  agent: string,
  given: { readonly limits: WakeLimits; readonly now: number },
): Promise<Hold | undefined> {
  const spent = await listSpent(tx, agent, given);
  if (spent.length === 0) return undefined;
  const unlessHeldBy = spent.map(({ budget }) => budget);
  const waiting = { now: given.now, bytes: mostBytes, withUncertain: false };
  const free = await tx.messages.listWaiting(agent, { ...waiting, count: 1, unlessHeldBy });
  if (free.length > 0) return undefined;
  const messages = (await tx.messages.listWaiting(agent, { ...waiting, count: most })).filter(
    (message) => budgetOf(message) !== undefined,
  );
  const budgets = new Set(messages.map(budgetOf));
  const [first] = spent
    .filter(({ budget }) => budgets.has(budget))
    .sort((a, b) => a.until - b.until);
  return first && { ...first, messages };
}

/**
 * The user's words are free; a task of an agent that goes in as a prompt comes out of its budget,
 * and must not take a notice that is free along as a prompt.
 */
export async function hasFreePrompt(
  tx: LedgerTransaction,
  agent: string,
  given: { readonly limits: WakeLimits; readonly now: number },
): Promise<boolean> {
  const unlessHeldBy = (await listSpent(tx, agent, given)).map(({ budget }) => budget);
  const bound = { now: given.now, bytes: 0, count: 1, withUncertain: false, unlessHeldBy };
  return (await tx.messages.listWaiting(agent, { ...bound, standing: 'prompt' })).length > 0;
}

/** As `ls`, `status` and `doctor` show it; only an agent at rest is kept from a turn by it. */
export async function showHold(
  tx: LedgerTransaction,
  { id, backend, status }: Pick<Agent, 'id' | 'backend' | 'status'>,
  given: { readonly limits: WakeLimits; readonly now: number },
): Promise<{ readonly held?: { readonly until: string; readonly why: string } }> {
  if (backend === 'none' || !isAtRest(status)) return {};
  const hold = await findHold(tx, id, given);
  if (!hold) return {};
  return {
    held: { until: new Date(hold.until).toISOString(), why: describeWait(explainHold(hold)) },
  };
}

/** Why what it holds back waits, and until when. */
export function explainHold({ budget, limit, until }: Spent): WaitReason {
  return { code: 'budget-spent', budget, limit, until };
}
