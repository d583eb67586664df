import { isUser } from '../agents/agent.ts';
import type { WaitingBound } from '../messages/message-store.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { isWakeSpent } from './budgets.ts';
import type { DeliveryParts } from './parts.ts';
import { findDue, isDue } from './settle-due.ts';

type SurveyParts = Pick<DeliveryParts, 'ledger' | 'surroundings' | 'limits'>;

/** What waits in an inbox, as far as it decides how it goes in. */
export interface Waiting {
  readonly isUrgent: boolean;
  /** The wake budget is spent, and nothing that waits is from the user (rule 21). */
  readonly isWakeSpent: boolean;
}

/** Whether there is anything to do for one agent, of every kind that there is. */
export interface Glance {
  readonly isDue: boolean;
  /** Attempts whose fate is open. */
  readonly hasUnproven: boolean;
  readonly hasUncertain: boolean;
  readonly waiting: Waiting | undefined;
}

/** One read, and no write (rule 20): most looks find a message to carry, or nothing, and little else. */
export function glance(parts: SurveyParts, agent: string): Promise<Glance> {
  return parts.ledger.read(async (tx) => {
    const doubtful = await tx.messages.list({ to: agent, states: ['uncertain'], limit: 1 });
    return {
      isDue: isDue(await findDue(tx, parts.surroundings, agent)),
      hasUnproven: (await tx.claims.listUnproven(agent)).length > 0,
      hasUncertain: doubtful.length > 0,
      waiting: await survey(tx, parts, agent),
    };
  });
}

/** Undefined when there is nothing to carry. */
export function surveyInbox(parts: SurveyParts, agent: string): Promise<Waiting | undefined> {
  return parts.ledger.read((tx) => survey(tx, parts, agent));
}

async function survey(
  tx: LedgerTransaction,
  { surroundings, limits }: SurveyParts,
  agent: string,
): Promise<Waiting | undefined> {
  const now = surroundings.clock.now();
  const head = { count: 1, bytes: 0, now, withUncertain: false };
  if ((await tx.messages.listWaiting(agent, head)).length === 0) return undefined;
  const urgent = await tx.messages.listWaiting(agent, { ...head, urgentOnly: true });
  const isSpent = await isWakeSpent(tx, agent, { limit: limits.wakes, now });
  return {
    isUrgent: urgent.length > 0,
    isWakeSpent: isSpent && !(await hasUsers(tx, agent, head)),
  };
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
