import type { DebtStore } from '../messages/debt-store.ts';
import type { Message } from '../messages/message.ts';
import type { MessageStore } from '../messages/message-store.ts';
import { messageStates } from '../messages/transitions.ts';
import type { Explanation } from './messages.ts';
import { toIso } from './views.ts';

/** Of its inbox since the task, where what it was told stands. */
const page = 200;
const mostPages = 10;

interface Stores {
  readonly debts: DebtStore;
  readonly messages: MessageStore;
}

/** Of a task: whether its answer is owed, what ended that, and who was told (rule 30). */
export async function viewDebt(
  tx: Stores,
  message: Message,
): Promise<NonNullable<Explanation['debt']> | undefined> {
  const debt = message.kind === 'task' ? await tx.debts.find(message.id) : undefined;
  if (!debt) return undefined;
  const { end, endedAt, endedBy } = debt;
  if (end === undefined || endedAt === undefined) return { isOwed: true };
  const told = end === 'withdrawn' ? await findTold(tx, message, endedAt) : undefined;
  return {
    ...{ isOwed: false, end, endedAt: toIso(endedAt) },
    ...(endedBy === undefined ? {} : { endedBy }),
    ...(told === undefined ? {} : { told }),
  };
}

/** What was sent to its worker in the transaction that ended the debt (`delivery/withdraw.ts`). */
async function findTold(tx: Stores, task: Message, at: number): Promise<string | undefined> {
  let afterSeq = task.seq;
  for (let pages = 0; pages < mostPages; pages++) {
    const query = { to: task.to, states: messageStates, includeDiscarded: true };
    const found = await tx.messages.list({ ...query, afterSeq, limit: page });
    const told = found.find(
      ({ kind, createdAt, replyTo }) =>
        kind === 'notice' && createdAt === at && replyTo.includes(task.id),
    );
    if (told || found.length < page) return told?.id;
    afterSeq = found.at(-1)?.seq ?? afterSeq;
  }
  return undefined;
}
