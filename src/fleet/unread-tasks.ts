import type { Debt } from '../messages/debt.ts';
import { openStates } from '../messages/transitions.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/** Enough to say what waits; a worker with more than that in its inbox is a case of its own. */
const mostNamed = 5;

/**
 * The tasks among these that are still on their way into the agent. They outlive its process:
 * whoever is told that it is gone must know that a restart brings them up again. Undefined when
 * there is none.
 */
export async function describeUnread(
  tx: LedgerTransaction,
  debts: readonly Debt[],
): Promise<string | undefined> {
  const open: readonly string[] = openStates;
  const unread: string[] = [];
  for (const { task } of debts) {
    const { state = '' } = (await tx.messages.find(task)) ?? {};
    if (open.includes(state)) unread.push(task);
  }
  if (unread.length === 0) return undefined;
  const more = unread.length > mostNamed ? ` and ${unread.length - mostNamed} more` : '';
  return `Still in its inbox, for a restart: ${unread.slice(0, mostNamed).join(', ')}${more}.`;
}

/**
 * Its next life begins, and gets what was still on its way: those who gave it wait for an answer
 * again.
 */
export async function reopenUnread(tx: LedgerTransaction, agent: string): Promise<void> {
  const inbox = await tx.messages.list({ to: agent, states: openStates, limit: 100_000 });
  for (const { id, kind } of inbox) {
    const debt = kind === 'task' ? await tx.debts.find(id) : undefined;
    if (debt?.end !== 'exited' || !(await tx.agents.isLiving(debt.creditor))) continue;
    await tx.debts.reopen(id);
  }
}
