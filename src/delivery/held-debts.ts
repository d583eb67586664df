// Tests: test/contracts/interrupted-tasks.test.ts, test/contracts/turn-ends-held.test.ts.

import { signalbox } from '../agents/agent.ts';
import { wasLeft } from '../agents/epoch.ts';
import type { Attempt } from '../messages/claim.ts';
import type { Debt } from '../messages/debt.ts';
import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { OnRecord } from './on-record.ts';
import { reminderKey } from './settle-debt.ts';

/**
 * Some CLIs date their turns to the second (Codex 0.166.0): of two that ended within one, nobody
 * knows which was first.
 */
const roundedMs = 1000;

/**
 * Open debts of an agent whose task is in its conversation: it is among what has entered since the
 * last stop, an earlier turn held it, or it is in that of an earlier life, which this one goes on
 * with. Not those it has yet to hear of, nor any that were sent after that turn had ended, nor
 * those that stand in another conversation than its own: after `/new` nobody there knows of them.
 * Nor any that left the conversation again, whatever an earlier stop took them for: proven not
 * landed, or taken out, they are on their way anew.
 */
export async function listHeldDebts(
  tx: LedgerTransaction,
  debtor: string,
  by: HeldBy,
): Promise<readonly Debt[]> {
  const held: Debt[] = [];
  for (const debt of await tx.debts.listOwedBy(debtor)) {
    const isIn = by.entered.includes(debt.task) || (await isHeld(tx, debt, debt.task, by));
    if (isIn || (await isReminded(tx, debt, by))) held.push(debt);
  }
  return held;
}

/** What reminds of it has told this conversation of it. */
export async function isReminded(tx: LedgerTransaction, debt: Debt, by: HeldBy): Promise<boolean> {
  if (debt.remindedAt === undefined) return false;
  const reminder = await tx.messages.findByKey(signalbox.id, reminderKey(debt));
  if (!reminder) return false;
  return by.entered.includes(reminder.id) || (await isHeld(tx, debt, reminder.id, by));
}

async function isHeld(
  tx: LedgerTransaction,
  { debtor }: Debt,
  message: string,
  by: HeldBy,
): Promise<boolean> {
  const { state, token } = (await tx.messages.find(message)) ?? {};
  if (state === 'queued' || state === 'claimed') return false;
  const { epoch = 0 } = (await tx.agents.find(debtor)) ?? {};
  for (const attempt of await tx.claims.listAttempts(message)) {
    // Taken out, or in doubt: it came again since, and what held that answers it.
    const isOld = attempt.outcome === 'uncertain' && attempt.token !== token;
    if (isOld || attempt.outcome === 'not-landed') continue;
    if (await isOfLaterTurn(tx, debtor, attempt, by)) continue;
    if (by.knowsHeld && isStoodIn(attempt, epoch)) continue;
    if (by.onRecord && !(await isKept(tx, debtor, attempt, by.onRecord, by))) continue;
    const isRead = attempt.turn !== undefined || isOfEarlierLife(attempt, epoch, by.onRecord);
    if (isRead && (await isOfConversation(tx, debtor, attempt, by.turn?.session))) return true;
  }
  return false;
}

/**
 * Whether it is still in the conversation that it was put into: by the records, and where they tell
 * nothing by how its turn ended. A CLI may drop the prompt of a turn that was interrupted or failed
 * (rule 9).
 */
async function isKept(
  tx: LedgerTransaction,
  debtor: string,
  { token, turn }: Attempt,
  onRecord: OnRecord,
  { turn: own, corrects }: Pick<HeldBy, 'turn' | 'corrects'> = {},
): Promise<boolean> {
  if (onRecord.in.has(token)) return true;
  if (onRecord.out.has(token)) return false;
  // No end of its turn was heard: an earlier life read it.
  if (turn === undefined) return true;
  const name = parseTurn(turn);
  if (isSame(name, own) || isSame(name, corrects)) return true;
  const { outcome } = (await findStop(tx, debtor, name)) ?? {};
  if (outcome !== 'failed') return outcome === 'completed';
  // Where a record could tell, it has to.
  return (await tx.claims.find(token))?.provable === false;
}

/**
 * The task, where the conversation that its debtor is in now may not hold it: another one read it,
 * or the CLI may have taken it out. Nobody there knows what it was.
 */
export async function findLeftTask(
  tx: LedgerTransaction,
  { task, debtor }: Debt,
  onRecord: OnRecord,
): Promise<Message | undefined> {
  const { epoch = 0 } = (await tx.agents.find(debtor)) ?? {};
  const { conversation } = (await tx.epochs.find(debtor, epoch)) ?? {};
  const message = await tx.messages.find(task);
  for (const attempt of await tx.claims.listAttempts(task)) {
    if (attempt.outcome === 'not-landed') continue;
    if (!(await isKept(tx, debtor, attempt, onRecord))) continue;
    if (await isOfConversation(tx, debtor, attempt, conversation)) return undefined;
  }
  return message;
}

interface HeldBy {
  readonly entered: readonly string[];
  /**
   * Of an end that may be told late: what was sent by then entered a later turn. What is dated to
   * the second may be later by that.
   */
  readonly isAfter?: ((at: number, roundedMs?: number) => boolean) | undefined;
  /** Undefined: whatever turn it was, in whatever conversation. */
  readonly turn?: { readonly session: string; readonly id: string; readonly stop: number };
  /** The source knows all that its turns held. */
  readonly knowsHeld?: boolean | undefined;
  /**
   * Of an end that may settle a debt: what must still be in the conversation. Undefined: whatever
   * was in it once counts.
   */
  readonly onRecord?: OnRecord | undefined;
  /** A stand-in has told this very end, under a name of its own. */
  readonly corrects?: TurnName | undefined;
}

interface TurnName {
  readonly session: string;
  readonly id: string;
}

/**
 * A turn is named `<session>/<turn>/<stop>`; for one without a name stands its epoch. Then, and
 * where no turn's end was heard, it was in the conversation that its life was in last, if that is
 * known and was not another one before.
 */
async function isOfConversation(
  tx: LedgerTransaction,
  debtor: string,
  { turn, epoch, at }: Attempt,
  session: string | undefined,
): Promise<boolean> {
  if (session === undefined || session.startsWith('epoch-')) return true;
  const [held] = turn?.split('/') ?? [];
  if (held !== undefined && !held.startsWith('epoch-')) return held === session;
  const life = await tx.epochs.find(debtor, epoch);
  if (life?.conversation === undefined) return true;
  return life.conversation === session && !wasLeft(life, at);
}

/**
 * Of an end that is told late, or after those that followed it: what was sent since, and what
 * waited behind its turn until a later one held it, was none of its own.
 */
async function isOfLaterTurn(
  tx: LedgerTransaction,
  debtor: string,
  { at, turn: name }: Attempt,
  { isAfter, turn: own }: HeldBy,
): Promise<boolean> {
  if (isAfter?.(at)) return true;
  // A stand-in may tell the end of this very turn, and later than that was.
  if (!isAfter || name === undefined || name.startsWith('epoch-')) return false;
  const parsed = parseTurn(name);
  if (own && isSame(parsed, own)) return parsed.n > own.stop;
  const holder = await findStop(tx, debtor, parsed);
  return holder !== undefined && isAfter(holder.at, roundedMs);
}

/** A stand-in took it for what its turn held. Whoever knows what turns hold knows better. */
function isStoodIn({ turn, epoch }: Attempt, current: number): boolean {
  return epoch === current && turn?.startsWith('epoch-') === true;
}

/**
 * An earlier life read it, or put it into the conversation that this one goes on with. There the
 * end of the turn that answers it comes before the answer is on record, and so before its proof:
 * by 77 and 134 ms on a busy machine (Claude Code 2.1.325).
 */
function isOfEarlierLife(
  { epoch, outcome, token }: Attempt,
  current: number,
  onRecord: OnRecord | undefined,
): boolean {
  if (epoch >= current) return false;
  return outcome === 'seen' || outcome === 'acked' || onRecord?.in.has(token) === true;
}

/** A turn is named `<session>/<turn>/<stop>`. */
function parseTurn(name: string): TurnName & { readonly n: number } {
  const [session = '', ...rest] = name.split('/');
  return { session, id: rest.slice(0, -1).join('/'), n: Number(rest.at(-1)) };
}

function isSame(name: TurnName, other: TurnName | undefined): boolean {
  return name.session === other?.session && name.id === other.id;
}

/** The last one that was told of this turn. */
function findStop(tx: LedgerTransaction, debtor: string, { session, id: turn }: TurnName) {
  return tx.turns.findStop(debtor, { session, turn });
}
