import { signalbox } from '../agents/agent.ts';
import { isReminded, listHeldDebts } from '../delivery/held-debts.ts';
import { nothingOnRecord } from '../delivery/on-record.ts';
import { isAwaited, listBegunDebts } from '../delivery/settle-debt.ts';
import type { Debt } from '../messages/debt.ts';
import type { Message } from '../messages/message.ts';
import { isLater } from '../shared/clock.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { TurnEnd } from './complete-turn.ts';

/**
 * Debts that this end settles or ends: a turn that ended normally, with text, and with nothing open
 * below it; or the end of the process that owes (rules 27, 30). All tasks that it held, and those
 * of an earlier turn that are still in the conversation, unless it was given another task
 * meanwhile: its words are about that one, and the older are asked for by themselves.
 */
export async function findSettled(
  tx: LedgerTransaction,
  now: number,
  end: TurnEnd,
  messages: readonly Message[],
): Promise<readonly Debt[]> {
  const { child, outcome, summary, ends } = end;
  if (ends) return ends;
  if (outcome !== 'completed' || summary.trim() === '') return [];
  const below = await listBelow(tx, now, end);
  if (below.some(isAwaited)) return [];
  const by = { ...heldBy(now, end), onRecord: end.onRecord ?? nothingOnRecord };
  const held = await listHeldDebts(tx, child, by);
  const about = findSubjects(messages, held);
  const due = held.filter(
    ({ task, askedBy }) => askedBy === undefined && (about.size === 0 || about.has(task)),
  );
  if (below.length === 0) return due;
  // It knows that nothing comes from below. It may have tried there once more, and ended its turn
  // to wait: only what it said after it was asked for the answer is one.
  const asked: Debt[] = [];
  for (const debt of due) {
    if (await isReminded(tx, debt, by)) asked.push(debt);
  }
  return asked;
}

/**
 * What a turn was given or asked for by name; empty: it may be about all that its conversation
 * holds.
 */
function findSubjects(messages: readonly Message[], held: readonly Debt[]): ReadonlySet<string> {
  const about = new Set<string>();
  for (const { id, kind, from, body } of messages) {
    if (kind === 'task') about.add(id);
    if (from !== signalbox.id) continue;
    // Our own words name what they ask for in their first line; a task may stand below.
    const [line = ''] = body.split('\n', 1);
    for (const { task } of held) if (line.includes(task)) about.add(task);
  }
  return about;
}

function heldBy(now: number, { turn, entered, endedAt, knowsHeld, corrects }: TurnEnd) {
  const isAfter = (at: number, roundedMs = 0): boolean =>
    endedAt !== undefined && isLater(at, endedAt - roundedMs, now);
  return { entered, knowsHeld, isAfter, turn, corrects };
}

/**
 * In a dialog the turn goes on: all that it was given counts, and no stop has told yet what that
 * is.
 */
export async function findHeld(
  tx: LedgerTransaction,
  now: number,
  end: TurnEnd,
): Promise<readonly Debt[]> {
  const held = await listHeldDebts(tx, end.child, heldBy(now, end));
  if (end.outcome !== 'waiting') return held;
  const begun = await listBegunDebts(tx, end.child);
  return [...held, ...begun.filter(({ task }) => !held.some((debt) => debt.task === task))];
}

/**
 * What counts is the end itself: by the time it is told others may have answered, or been given
 * something by the next turn.
 */
async function listBelow(
  tx: LedgerTransaction,
  now: number,
  { child, endedAt, below }: TurnEnd,
): Promise<readonly Debt[]> {
  return endedAt === undefined
    ? (below ?? tx.debts.listOwedTo(child))
    : tx.debts.listOwedAt(child, endedAt, now);
}
