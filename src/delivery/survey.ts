import { isUser } from '../agents/agent.ts';
import type { WaitingBound } from '../messages/message-store.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { isWakeSpent } from './budgets.ts';
import type { DeliveryParts } from './parts.ts';

/** What waits in an inbox, as far as it decides how it goes in. */
export interface Waiting {
  readonly isUrgent: boolean;
  /** The wake budget is spent, and nothing that waits is from the user (rule 21). */
  readonly isWakeSpent: boolean;
}

/** Undefined when there is nothing to carry. One read, and no write (rule 20). */
export function surveyInbox(
  { ledger, surroundings, limits }: DeliveryParts,
  agent: string,
): Promise<Waiting | undefined> {
  const now = surroundings.clock.now();
  const head = { count: 1, bytes: 0, now, withUncertain: false };
  return ledger.read(async (tx) => {
    if ((await tx.messages.listWaiting(agent, head)).length === 0) return undefined;
    const urgent = await tx.messages.listWaiting(agent, { ...head, urgentOnly: true });
    const isSpent = await isWakeSpent(tx, agent, { limit: limits.wakes, now });
    return {
      isUrgent: urgent.length > 0,
      isWakeSpent: isSpent && !(await hasUsers(tx, agent, head)),
    };
  });
}

/** Wherever it stands in the inbox: what is before it goes in with it, in order. */
async function hasUsers(
  tx: LedgerTransaction,
  agent: string,
  head: WaitingBound,
): Promise<boolean> {
  const bound = { ...head, count: 1000, bytes: Number.POSITIVE_INFINITY };
  const waiting = await tx.messages.listWaiting(agent, bound);
  return waiting.some(({ from }) => isUser({ id: from }));
}
