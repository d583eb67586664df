import { signalbox } from '../agents/agent.ts';
import { isAtRest } from '../agents/remember-turn.ts';
import type { Debt } from '../messages/debt.ts';
import type { Message } from '../messages/message.ts';
import { quoteBody } from '../messages/quote-body.ts';
import { nameBoth } from '../messages/short-id.ts';
import { isSettled } from '../messages/transitions.ts';
import { createId } from '../shared/ids.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { claimFor } from './claim.ts';
import { findLeftTask, listHeldDebts } from './held-debts.ts';
import { nameTo } from './name-to.ts';
import { nothingOnRecord, type OnRecord, readOnRecord } from './on-record.ts';
import type { DeliveryParts } from './parts.ts';
import type { Recipient, Ways } from './recipient.ts';
import { isAwaited, listUnansweredDebts, reminderKey } from './settle-debt.ts';

/** An agent that has rested for so long, with nobody at its keys, will not answer by itself. */
const quietMs = 10_000;

/**
 * An agent at rest that owes an answer, has none to wait for itself and no mail: it is reminded
 * once, by a notice that names whoever waits; when it rests again without an answer, that one is
 * told (rule 30). The debt stays: an answer still settles it. Returns when time alone makes another
 * look worth while.
 */
export async function remindDebtor(
  parts: DeliveryParts,
  recipient: Recipient,
): Promise<number | undefined> {
  const { status, atRestSince, humanKeyAt = Number.NEGATIVE_INFINITY } = recipient.view();
  // After a turn that failed, too: delivery leaves a failing API alone for as long as it needs, and
  // carries the reminder then.
  if (atRestSince === undefined || !isAtRest(status)) return undefined;
  const { clock } = parts.surroundings;
  const nowMs = clock.monotonicMs();
  const next = await parts.ledger.read((tx) => findNext(tx, recipient, nowMs));
  if (!next) return undefined;
  const waitMs = Math.max(atRestSince, humanKeyAt, next.sinceMs) + quietMs - nowMs;
  if (waitMs > 0) return waitMs;
  const onRecord =
    next.debt.remindedAt === undefined ? await readOnRecord(parts, recipient) : nothingOnRecord;
  await parts.ledger.write(async (tx) => {
    const { debt } = (await findNext(tx, recipient, nowMs)) ?? {};
    if (!debt) return;
    if (debt.remindedAt === undefined) await insertReminder(tx, clock.now(), debt, onRecord);
    else await tellCreditor(tx, clock.now(), debt);
  });
  // There may be more of them, and nothing else would make us look before the next sweep.
  return 0;
}

/**
 * The oldest debt about which something is still to be said, and since when, on our clock, a rest
 * counts for it.
 */
async function findNext(
  tx: LedgerTransaction,
  { agent: debtor, ways }: Recipient,
  nowMs: number,
): Promise<{ readonly debt: Debt; readonly sinceMs: number } | undefined> {
  const open = await tx.debts.listOwedBy(debtor);
  if (open.every(({ toldAt }) => toldAt !== undefined)) return undefined;
  if ((await tx.debts.listOwedTo(debtor)).some(isAwaited)) return undefined;
  for (const debt of await listHeard(tx, debtor, ways)) {
    if (debt.toldAt !== undefined || debt.askedBy !== undefined) continue;
    if (!(await tx.agents.isLiving(debt.creditor))) continue;
    const sinceMs =
      debt.remindedAt === undefined
        ? await findHeard(tx, debt, nowMs)
        : await findReminded(tx, debt, nowMs);
    if (sinceMs !== undefined) return { debt, sinceMs };
  }
  return undefined;
}

/**
 * In its conversation, by the end of a turn that held it or by proof alone: of some turns nobody
 * hears the end. And those that were sent on a route without proof: of what went in behind a turn
 * that was under way, nobody can say which turn held it.
 */
async function listHeard(
  tx: LedgerTransaction,
  debtor: string,
  ways: Ways,
): Promise<readonly Debt[]> {
  const held = await listHeldDebts(tx, debtor, { entered: [] });
  const read = await listUnansweredDebts(tx, debtor);
  const heard = [...held, ...read, ...(await listUnconfirmed(tx, debtor, ways))];
  return heard.filter(({ task }, i) => heard.findIndex((debt) => debt.task === task) === i);
}

async function listUnconfirmed(
  tx: LedgerTransaction,
  debtor: string,
  { showsTurnEnds }: Ways,
): Promise<readonly Debt[]> {
  const sent: Debt[] = [];
  for (const debt of await tx.debts.listOwedBy(debtor)) {
    const { state, token } = (await tx.messages.find(debt.task)) ?? {};
    if (state !== 'injected' || token === undefined) continue;
    const claim = await tx.claims.find(token);
    // What it took itself stays so where no end of a turn is told (rule 17).
    const isHandedOut = showsTurnEnds === true && claim?.route === 'pull';
    if (claim?.provable === false || isHandedOut) sent.push(debt);
  }
  return sent;
}

/** Since when it can have worked on it. */
async function findHeard(tx: LedgerTransaction, { task }: Debt, nowMs: number): Promise<number> {
  const message = await tx.messages.find(task);
  return message?.state === 'injected' ? findTaken(tx, message, nowMs) : Number.NEGATIVE_INFINITY;
}

/** Since when it can have read its reminder; undefined: not yet. */
async function findReminded(
  tx: LedgerTransaction,
  debt: Debt,
  nowMs: number,
): Promise<number | undefined> {
  const reminder = await tx.messages.findByKey(signalbox.id, reminderKey(debt));
  if (!reminder || isSettled(reminder.state)) return Number.NEGATIVE_INFINITY;
  if (reminder.state !== 'injected') return undefined;
  // On a route without proof that is as far as it gets (rule 8).
  return findTaken(tx, reminder, nowMs);
}

/** The rest it was in when a text came proves nothing, since its turn takes a moment to be seen. */
async function findTaken(
  tx: LedgerTransaction,
  { token }: Pick<Message, 'token'>,
  nowMs: number,
): Promise<number> {
  const claim = token === undefined ? undefined : await tx.claims.find(token);
  // Of an earlier boot: another clock.
  return claim && claim.takenAtMs <= nowMs ? claim.takenAtMs : Number.NEGATIVE_INFINITY;
}

export async function insertReminder(
  tx: LedgerTransaction,
  now: number,
  debt: Debt,
  onRecord: OnRecord = nothingOnRecord,
): Promise<void> {
  const { task, creditor, debtor } = debt;
  const name = await nameTo(tx, debtor, creditor);
  const left = await findLeftTask(tx, debt, onRecord);
  const given = await tx.messages.find(task);
  const named = given ? nameBoth(given) : task;
  const words = `${name} still waits for your answer to task ${named}. End your turn with the answer, or reply to ${task}; if you cannot do it, say so.`;
  await tx.messages.insert([
    {
      id: createId('msg', now),
      ...{ kind: 'notice', from: signalbox.id, to: debtor, state: 'queued', createdAt: now },
      key: reminderKey(debt),
      body: left ? `${words}\n\n${elsewhere}\n${quoteBody(left.body)}` : words,
      cause: 'it rests and owes an answer',
    },
  ]);
  await tx.debts.setReminded(task, now);
}

const elsewhere =
  'It was given in a conversation that has been left since, or was taken out of this one, and may have been begun. The task:';

async function tellCreditor(tx: LedgerTransaction, now: number, debt: Debt): Promise<void> {
  const { task, creditor, debtor, waiter } = debt;
  const name = await nameTo(tx, creditor, debtor);
  const id = createId('msg', now);
  const [told] = await tx.messages.insert([
    {
      id,
      ...{ kind: 'notice', from: signalbox.id, to: creditor, state: 'queued', createdAt: now },
      replyTo: [task],
      answersTask: true,
      body: `${name} is idle and has not answered task ${task}, although it was reminded. Look at its output, ask it, or give the task to another.`,
      cause: 'no answer came after a reminder',
    },
  ]);
  await tx.debts.setTold(task, id, now);
  if (told && waiter) await claimFor(tx, now, waiter, told);
}
