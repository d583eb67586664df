import { acknowledge } from '../delivery/acknowledge.ts';
import { abandonClaim, beginAct, claimFor, loseSight, recordInjected } from '../delivery/claim.ts';
import { noteArrived } from '../delivery/hand-out.ts';
import { lookUntil } from '../events/look-until.ts';
import type { Debt, Waiter } from '../messages/debt.ts';
import type { Message } from '../messages/message.ts';
import { sizeAtOnce } from '../messages/parts.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { createId } from '../shared/ids.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { TeamParts } from './parts.ts';
import {
  isAskedOf,
  isPuller,
  listWaitingReports,
  type Piece,
  pieceOf,
  releaseReports,
  type TakenReports,
  takeReports,
  waiterGone,
} from './take-reports.ts';
import { forgottenMs, watchCaller } from './watch-caller.ts';

/**
 * A claim made for a waiter at the last moment has so long to be handed over, with room for half of
 * the lease (rule 3).
 */
const graceMs = 30_000;

export interface AwaitedAnswer {
  readonly outcome: AnswerOutcome;
  /** What settled or ended the debt, taken for this caller by a pull claim (rule 31). */
  readonly message?: Message;
  /** What the worker sent meanwhile, before it; only for a caller that asked for them. */
  readonly reports: readonly Message[];
  /** The worker has asked something, and waits for the caller's word. */
  readonly isAsked: boolean;
  /** It is the caller's: its last byte has left. Of a long one perhaps only a part. */
  finish(pieces?: readonly Piece[], line?: string): Promise<void>;
  lose(cause: string): Promise<void>;
}

/**
 * `answered`: by a completion or reply. `unanswered`: the worker was reminded and said nothing.
 * `exited`, `dead`: it is gone, or the task never arrived. `pending`: the time is over, and the
 * answer will come as a message. `elsewhere`: it has come as one.
 */
type AnswerOutcome =
  | 'answered'
  | 'unanswered'
  | 'exited'
  | 'dead'
  | 'removed'
  | 'pending'
  | 'elsewhere';

/**
 * Waits for the message that settles a debt, or for what ended it, and for no other (rule 31).
 * While it waits that message is claimed for it in the transaction that commits it, so no other
 * route can carry it; when the wait ends first, it is delivered like any other. Ends with the time,
 * the caller's signal, or the daemon (E12).
 */
export async function awaitAnswer(
  parts: TeamParts,
  { task, limitMs, signal, reportBytes }: Wait,
): Promise<AwaitedAnswer> {
  const { ledger, surroundings, bus } = parts;
  const { clock, host } = surroundings;
  const waiter: Waiter = {
    id: createId('wait', clock.now()),
    holder: host.identity,
    sinceMs: clock.monotonicMs(),
    leaseMs: 2 * (Math.min(limitMs, 86_400_000) + graceMs),
    ...(reportBytes === undefined ? {} : { takesReports: true }),
  };
  const caller = await watchCaller(parts, task);
  let isFirst = false;
  const end = async (found: Found | undefined, isAsked: boolean): Promise<AwaitedAnswer> => {
    const isGone = signal.aborted || (await caller.restsMs()) !== undefined;
    if (isGone) await ledger.write((tx) => release(tx, clock.now(), { task, waiter }, found));
    if (isGone && (!found || found.message)) return pending;
    const bytes = (reportBytes ?? 0) - sizeAtOnce(found?.message?.body ?? '');
    const reports = await takeReports(parts, { task, waiter, bytes });
    const answer = found ? await take(parts, { task, waiter, isFirst }, found) : pending;
    return { ...withReports(answer, reports), isAsked: isAsked && !found };
  };
  try {
    isFirst = await ledger.write((tx) => register(tx, clock.now(), task, waiter));
    await reachFailPoint('handoff.waiting');
    const watch = { topics: ['message.*.queued', 'message.*.claimed'], limitMs, over: signal };
    return await lookUntil({ bus, clock }, watch, async (isLast) => {
      const found = await ledger.read((tx) => findAnswer(tx, task));
      if (found && found.outcome !== 'unanswered') return end(found, false);
      const isAsked = !found && (await ledger.read((tx) => isAskedOf(tx, task, waiter)));
      const isForgotten = ((await caller.restsMs()) ?? 0) >= forgottenMs;
      if (!found && !isLast && !isAsked && !isForgotten) return undefined;
      // The debt of one that was reminded in vain stays open: an answer must not be claimed for us
      // once we are gone.
      const last = await ledger.write((tx) => giveUp(tx, clock.now(), task, waiter));
      return end(last, isAsked);
    });
  } catch (error) {
    await leave(parts, task, waiter).catch((left) =>
      reportBug('leaving the wait for an answer', left),
    );
    throw error;
  }
}

interface Wait {
  readonly task: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** The caller takes what the worker sends meanwhile, too: so much of it beside the answer. */
  readonly reportBytes?: number;
}

function withReports(answer: AwaitedAnswer, reports: TakenReports): AwaitedAnswer {
  return {
    ...answer,
    reports: reports.messages,
    finish: async (pieces = [], line) => {
      await reports.finish(pieces, line);
      await answer.finish(pieces, line);
    },
    lose: async (cause) => {
      await reports.lose(cause);
      await answer.lose(cause);
    },
  };
}

/** The wait failed: nothing may stay claimed for a caller that will never have it. */
async function leave(
  { ledger, surroundings }: TeamParts,
  task: string,
  waiter: Waiter,
): Promise<void> {
  const now = surroundings.clock.now();
  await ledger.write(async (tx) => {
    const last = await giveUp(tx, now, task, waiter);
    await release(tx, now, { task, waiter }, last);
  });
}

/**
 * Nobody is there any more, and nothing has left: what was kept for the call is carried as the
 * messages they are, unmarked.
 */
async function release(
  tx: LedgerTransaction,
  now: number,
  { task, waiter }: Pick<Taker, 'task' | 'waiter'>,
  found: Found | undefined,
): Promise<void> {
  const message = found?.message && (await tx.messages.find(found.message.id));
  const claim = message?.token === undefined ? undefined : await tx.claims.find(message.token);
  const isOurs = claim?.route === 'pull' && claim.takenAtMs === waiter.sinceMs;
  if (claim && isOurs && message?.state === 'claimed')
    await abandonClaim(tx, now, claim.token, waiterGone);
  await releaseReports(tx, now, task, waiter);
}

/**
 * From here on what ends the debt is claimed for us; what has ended it already, and waits, is
 * claimed now. Says whether the debt is open, so that nobody can have had its answer before us.
 */
async function register(
  tx: LedgerTransaction,
  now: number,
  task: string,
  waiter: Waiter,
): Promise<boolean> {
  const debt = await tx.debts.find(task);
  if (!debt) return false;
  await tx.debts.setWaiter(task, waiter);
  const id = endingOf(debt);
  const message = id === undefined ? undefined : await tx.messages.find(id);
  if (message?.state === 'queued') await claimFor(tx, now, waiter, message);
  const isOpen = debt.endedAt === undefined;
  if (!waiter.takesReports) return isOpen;
  for (const report of await listWaitingReports(tx, debt.reports ?? [])) {
    await claimFor(tx, now, waiter, report);
  }
  return isOpen;
}

/** Another waiter may have taken our place meanwhile: it is not disturbed. */
async function giveUp(
  tx: LedgerTransaction,
  now: number,
  task: string,
  waiter: Waiter,
): Promise<Found | undefined> {
  const debt = await tx.debts.find(task);
  if (debt?.waiter?.id === waiter.id) {
    await tx.debts.setWaiter(task, undefined);
    const { toldBy, endedBy } = debt;
    // The answer has come meanwhile and is claimed for us as well: the word that none came needs no
    // reader.
    if (toldBy !== undefined && endedBy !== undefined) {
      const cause = `${endedBy} has answered ${task} after all`;
      await acknowledge(tx, now, [toldBy], { code: 'answered', cause });
    }
  }
  return findAnswer(tx, task);
}

interface Found {
  readonly outcome: AnswerOutcome;
  readonly message?: Message;
}

async function findAnswer(tx: LedgerTransaction, task: string): Promise<Found | undefined> {
  const debt = await tx.debts.find(task);
  if (!debt) return { outcome: 'removed' };
  if (debt.endedAt === undefined && debt.toldAt === undefined) return undefined;
  const outcome = debt.end ?? 'unanswered';
  const id = endingOf(debt);
  const message = id === undefined ? undefined : await tx.messages.find(id);
  return message ? { outcome, message } : { outcome };
}

/** The message that ended it, or that told that no answer came. */
function endingOf({ endedBy, toldBy }: Debt): string | undefined {
  return endedBy ?? toldBy;
}

interface Taker {
  readonly task: string;
  readonly waiter: Waiter;
  /** The debt was open when this wait began. */
  readonly isFirst: boolean;
}

/**
 * Takes it by the claim that was made for us; if another route has it, it is not handed out a
 * second time.
 */
async function take(
  parts: TeamParts,
  taker: Taker,
  { outcome, message }: Found,
): Promise<AwaitedAnswer> {
  if (!message) return { ...pending, outcome };
  const { task, waiter } = taker;
  const { ledger, surroundings } = parts;
  const { clock } = surroundings;
  const taken = await ledger.write(async (tx) => {
    const claim = message.token === undefined ? undefined : await tx.claims.find(message.token);
    const isOurs = claim?.route === 'pull' && claim.takenAtMs === waiter.sinceMs;
    if (!claim || !isOurs || claim.endedAt !== undefined || message.state !== 'claimed')
      return undefined;
    if (claim.holder.pid !== surroundings.host.identity.pid) return undefined;
    if ((await beginAct(tx, surroundings, claim.token)) !== 'go') return undefined;
    const cause = `handed over as the answer to ${task}`;
    const [carried] = await recordInjected(tx, clock.now(), claim.token, cause);
    return carried && { claim, carried, isPuller: await isPuller(tx, message.to) };
  });
  if (!taken) {
    const isShared = await ledger.read((tx) => isOfAnotherWait(tx, taker, message));
    return { ...pending, outcome: isShared ? outcome : 'elsewhere', message };
  }
  await reachFailPoint('handoff.taken');
  const { claim, carried } = taken;
  return {
    outcome,
    ...{ reports: [], isAsked: false },
    message: carried,
    // An agent's next call or output answers for it (rule 17); whoever pulls has it.
    finish: (pieces = [], line) =>
      noteArrived(ledger, surroundings, [{ ...carried, ...pieceOf(pieces, carried) }], {
        epoch: claim.epoch,
        isInTerminal: !taken.isPuller,
        cause: `taken as the answer to ${task}`,
        ...(line === undefined ? {} : { line }),
      }),
    lose: async (cause) => {
      const why = { code: 'not-printed', cause } as const;
      await ledger.write((tx) => loseSight(tx, clock.now(), claim, why));
    },
  };
}

/**
 * One message ended several debts, or somebody waits for this one in our place: it was claimed for
 * one wait. That one answers for it, and the others return it as well, because each of them is the
 * answer to a question of its own (rule 31).
 */
async function isOfAnotherWait(
  tx: LedgerTransaction,
  { task, waiter, isFirst }: Taker,
  { id, replyTo }: Message,
): Promise<boolean> {
  const { token } = (await tx.messages.find(id)) ?? {};
  const claim = token === undefined ? undefined : await tx.claims.find(token);
  if (!isFirst || claim?.route !== 'pull') return false;
  for (const ended of [task, ...replyTo]) {
    const other = (await tx.debts.find(ended))?.waiter;
    if (other && other.id !== waiter.id && other.sinceMs === claim.takenAtMs) return true;
  }
  return false;
}

const pending: AwaitedAnswer = {
  outcome: 'pending',
  reports: [],
  isAsked: false,
  finish: async () => undefined,
  lose: async () => undefined,
};
