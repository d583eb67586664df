import type { Message } from '../messages/message.ts';
import type { HoldingBudget } from '../messages/message-store.ts';
import { isUser } from './agent.ts';

type Facts = Pick<Message, 'from' | 'isScript' | 'answersTask' | 'isQuiet'>;

/**
 * The budget that a turn begun for this message comes out of (rule 21); undefined for what is
 * neither held nor counted: what the user wrote, the answer to a task of the recipient's own, and
 * what wakes nobody anyway.
 */
export function budgetOf({
  from,
  isScript,
  answersTask,
  isQuiet,
}: Facts): HoldingBudget | undefined {
  if (answersTask || isQuiet) return undefined;
  if (!isUser({ id: from })) return 'wakes';
  return isScript ? 'scripts' : undefined;
}

/** It may begin a turn although these budgets are spent. */
export function isFree(message: Facts, spent: readonly HoldingBudget[]): boolean {
  const budget = budgetOf(message);
  return !message.isQuiet && (budget === undefined || !spent.includes(budget));
}
