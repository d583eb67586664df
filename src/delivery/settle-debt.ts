// Tests: test/contracts/debts.test.ts.

import type { Debt, DebtEnd } from '../messages/debt.ts';
import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { claimFor } from './claim.ts';

/** Whether `creditor` waits for `debtor`, directly or through others who work for it. */
export async function waitsFor(
  tx: LedgerTransaction,
  creditor: string,
  debtor: string,
): Promise<boolean> {
  const above = new Set([debtor]);
  for (const agent of above) {
    for (const debt of await tx.debts.listOwedBy(agent)) above.add(debt.creditor);
  }
  return above.has(creditor);
}

/**
 * Of what others owe an agent, that which still keeps it from answering by itself. One that has
 * asked it something, or has not answered although it was reminded, will do nothing more before
 * this agent does.
 */
export function isAwaited({ toldAt, askedBy }: Debt): boolean {
  return toldAt === undefined && askedBy === undefined;
}

/** The debtor answers in words of its own: that settles the task it replies to (rule 30). */
export async function settleByReply(
  tx: LedgerTransaction,
  now: number,
  reply: Message,
  answered: readonly Message[],
): Promise<void> {
  for (const original of answered) {
    if (original.kind !== 'task') continue;
    const debt = await tx.debts.find(original.id);
    if (debt?.debtor === reply.from) await endDebt(tx, now, debt, 'answered', reply);
  }
}

/**
 * The debtor asks back: however its turn ends, that is no answer until it has heard from its
 * creditor (rule 30).
 */
export async function keepOpen(
  tx: LedgerTransaction,
  question: Message,
  about: readonly Message[],
): Promise<void> {
  for (const { id } of about) {
    const debt = await tx.debts.find(id);
    if (debt?.debtor === question.from && debt.endedAt === undefined) {
      await tx.debts.setAsked(id, question.id);
    }
  }
}

/**
 * The creditor answers a question of its debtor's, which has its word from here on: by a reply to
 * it, or by a message that replies to nothing, which is taken for the answer to what was asked
 * last. A new task or a word about something else answers no question, and the task stays open
 * however the next turn ends (rule 30).
 */
export async function hearCreditor(tx: LedgerTransaction, message: Message): Promise<void> {
  if (message.kind === 'task') return;
  const owed = await tx.debts.listOwedBy(message.to);
  const asked = owed.filter(
    ({ creditor, askedBy }) => askedBy !== undefined && creditor === message.from,
  );
  const meant = message.replyTo.length > 0 ? message.replyTo : await findNewest(tx, asked);
  for (const { task, askedBy } of asked) {
    if (meant.includes(askedBy ?? '')) await tx.debts.setAsked(task, undefined);
  }
}

async function findNewest(
  tx: LedgerTransaction,
  asked: readonly Debt[],
): Promise<readonly string[]> {
  const questions: Message[] = [];
  for (const { askedBy = '' } of asked) {
    const question = await tx.messages.find(askedBy);
    if (question) questions.push(question);
  }
  const newest = questions.toSorted((a, b) => a.seq - b.seq).at(-1);
  // Retention has taken the questions: nothing is known that would tell them apart.
  return newest ? [newest.id] : asked.map(({ askedBy = '' }) => askedBy);
}

/**
 * Ends a debt with the message that says so. Whoever waits for it has that message from this moment
 * on (rule 31); without a waiter it is delivered like any other.
 */
export async function endDebt(
  tx: LedgerTransaction,
  now: number,
  debt: Debt,
  end: DebtEnd,
  message: Message | undefined,
): Promise<boolean> {
  if (!(await tx.debts.end(debt.task, end, message?.id, now))) return false;
  if (message?.state === 'queued' && debt.waiter) await claimFor(tx, now, debt.waiter, message);
  return true;
}

/**
 * Open debts of an agent that is being removed, but for those whose task still waits in its inbox:
 * such a task bounces. One that was written to it and perhaps read is told of here, and not a
 * second time by a bounce.
 */
export async function listBegunDebts(
  tx: LedgerTransaction,
  debtor: string,
): Promise<readonly Debt[]> {
  const begun: Debt[] = [];
  for (const debt of await tx.debts.listOwedBy(debtor)) {
    const state = (await tx.messages.find(debt.task))?.state;
    if (state !== 'queued' && state !== 'claimed') begun.push(debt);
  }
  return begun;
}

/** Open debts whose task was read. */
export async function listUnansweredDebts(
  tx: LedgerTransaction,
  debtor: string,
): Promise<readonly Debt[]> {
  const read: Debt[] = [];
  for (const debt of await tx.debts.listOwedBy(debtor)) {
    const state = (await tx.messages.find(debt.task))?.state;
    // Versions before this one pruned tasks that were still owed.
    if (state === undefined || state === 'seen' || state === 'acked') read.push(debt);
  }
  return read;
}

/** Of the notice that reminds a debtor. */
export function reminderKey({ task }: Debt): string {
  return `debt:${task}:reminder`;
}
