import { abandonClaim } from '../delivery/abandon-claim.ts';
import { acknowledge } from '../delivery/acknowledge.ts';
import { claimFor } from '../delivery/claim.ts';
import { lookUntil } from '../events/look-until.ts';
import type { Debt, Waiter } from '../messages/debt.ts';
import { sizeAtOnce } from '../messages/parts.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { createId } from '../shared/ids.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { TeamParts } from './parts.ts';
import {
  type AwaitedAnswer,
  type Found,
  pending,
  type Taker,
  takeAnswer,
  withReports,
} from './take-answer.ts';
import {
  isAskedOf,
  listWaitingReports,
  releaseReports,
  takeReports,
  waiterGone,
} from './take-reports.ts';
import { forgottenMs, watchCaller } from './watch-caller.ts';

/**
 * A claim made for a waiter at the last moment has so long to be handed over, with room for half of
 * the lease (rule 3).
 */
const graceMs = 30_000;

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
    const answer = found ? await takeAnswer(parts, { task, waiter, isFirst }, found) : pending;
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
