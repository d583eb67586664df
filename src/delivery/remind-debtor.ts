import type { Debt } from '../messages/debt.ts';
import { isSettled } from '../messages/transitions.ts';
import { createId } from '../shared/ids.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { claimFor } from './claim.ts';
import type { DeliveryParts } from './parts.ts';
import type { Recipient } from './recipient.ts';
import { listHeldDebts } from './settle-debt.ts';

/** An agent that has rested for so long, with nobody at its keys, will not answer by itself. */
const quietMs = 10_000;

/**
 * An agent at rest that owes an answer, has none to wait for itself and no mail: it is reminded once, by a notice in the name of
 * whoever waits; when it rests again without an answer, that one is told (rule 30). The debt stays: an answer still settles it.
 * Returns when time alone makes another look worth while.
 */
export async function remindDebtor(
  parts: DeliveryParts,
  recipient: Recipient,
): Promise<number | undefined> {
  const { status, atRestSince, humanKeyAt = Number.NEGATIVE_INFINITY } = recipient.view();
  if (atRestSince === undefined || (status !== 'idle' && status !== 'completed')) return undefined;
  const { clock } = parts.surroundings;
  const next = await parts.ledger.read((tx) => findNext(tx, recipient.agent));
  if (!next) return undefined;
  const waitMs = Math.max(atRestSince, humanKeyAt) + quietMs - clock.monotonicMs();
  if (waitMs > 0) return waitMs;
  await parts.ledger.write(async (tx) => {
    const debt = await findNext(tx, recipient.agent);
    if (!debt) return;
    if (debt.remindedAt === undefined) await insertReminder(tx, clock.now(), debt);
    else await tellCreditor(tx, clock.now(), debt);
  });
  return undefined;
}

/** The oldest debt about which something is still to be said. */
async function findNext(tx: LedgerTransaction, debtor: string): Promise<Debt | undefined> {
  const open = await tx.debts.listOwedBy(debtor);
  if (open.every(({ toldAt }) => toldAt !== undefined)) return undefined;
  if ((await tx.debts.listOwedTo(debtor)).length > 0) return undefined;
  for (const debt of await listHeldDebts(tx, debtor, [])) {
    if (debt.toldAt !== undefined || !(await tx.agents.isLiving(debt.creditor))) continue;
    if (debt.remindedAt === undefined || (await isReminderRead(tx, debt))) return debt;
  }
  return undefined;
}

async function isReminderRead(tx: LedgerTransaction, debt: Debt): Promise<boolean> {
  const reminder = await tx.messages.findByKey(debt.creditor, reminderKey(debt));
  // On a route without proof `injected` is as far as it gets (rule 8).
  return !reminder || isSettled(reminder.state) || reminder.state === 'injected';
}

async function insertReminder(tx: LedgerTransaction, now: number, debt: Debt): Promise<void> {
  const { task, creditor, debtor } = debt;
  const name = (await tx.agents.find(creditor))?.name ?? creditor;
  await tx.messages.insert([
    {
      id: createId('msg', now),
      ...{ kind: 'notice', from: creditor, to: debtor, state: 'queued', createdAt: now },
      key: reminderKey(debt),
      body: `${name} still waits for your answer to task ${task}. End your turn with the answer, or reply to ${task}; if you cannot do it, say so.`,
      cause: 'it rests and owes an answer',
    },
  ]);
  await tx.debts.setReminded(task, now);
}

async function tellCreditor(tx: LedgerTransaction, now: number, debt: Debt): Promise<void> {
  const { task, creditor, debtor, waiter } = debt;
  const name = (await tx.agents.find(debtor))?.name ?? debtor;
  const id = createId('msg', now);
  const [told] = await tx.messages.insert([
    {
      id,
      ...{ kind: 'notice', from: debtor, to: creditor, state: 'queued', createdAt: now },
      replyTo: [task],
      body: `${name} is idle and has not answered task ${task}, although it was reminded. Look at its output, ask it, or give the task to another.`,
      cause: 'no answer came after a reminder',
    },
  ]);
  await tx.debts.setTold(task, id, now);
  if (told && waiter) await claimFor(tx, now, waiter, told);
}

function reminderKey({ task }: Debt): string {
  return `debt:${task}:reminder`;
}
