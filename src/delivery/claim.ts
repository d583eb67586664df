// Tests: test/contracts/claims.test.ts.

import type { Cause } from '../messages/cause.ts';
import {
  type Claim,
  defaultLeaseMs,
  isInjecting,
  isLeaseExpired,
  isTooLateToAct,
  type Route,
} from '../messages/claim.ts';
import type { Waiter } from '../messages/debt.ts';
import type { Message } from '../messages/message.ts';
import type { WaitingBound } from '../messages/message-store.ts';
import { sayRestarts } from '../messages/say-restarts.ts';
import type { Standing } from '../messages/standing.ts';
import type { Clock } from '../shared/clock.ts';
import { createMark } from '../shared/ids.ts';
import type { Host } from '../shared/processes.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { abandon } from './abandon-claim.ts';
import { foldTries } from './fold-tries.ts';
import { isFurther } from './is-further.ts';
import { returnToQueue } from './return-to-queue.ts';

export interface ClaimRequest {
  readonly recipient: string;
  readonly route: Route;
  readonly epoch: number;
  /** False where this route can give no proof: `injected` is then the end (rule 8). */
  readonly provable: boolean;
  readonly count: number;
  readonly bytes: number;
  readonly leaseMs?: number;
  readonly isBehindTurn?: boolean;
  /** The act follows at once: a death from here on leaves open whether it began. */
  readonly isBegun?: boolean;
  /** Long bodies go in parts, and count as such. */
  readonly inParts?: boolean;
  /** Takes this message, wherever it stands, and no other. */
  readonly only?: string;
  /** Takes urgent messages alone. */
  readonly urgentOnly?: boolean;
  /** As what they are carried (rule 51); as prompts only those that are to be some. */
  readonly standing?: Standing;
  /** Prompts stay for a way that keeps their standing (rule 51c). */
  readonly leavesPrompts?: boolean;
  /**
   * What of the head goes together, from the first on; all that is within the bounds without it.
   */
  readonly choose?: (head: readonly Message[]) => Promise<Chosen>;
}

export interface Chosen {
  readonly head: readonly Message[];
  /** How many wait behind them: they stay `queued` (rule 13). */
  readonly others: number;
}

export type ClaimResult =
  | { readonly outcome: 'claimed'; readonly claim: Claim; readonly messages: readonly Message[] }
  | { readonly outcome: 'empty' }
  /** Another claim that puts text into the same conversation is live (rule 1). */
  | { readonly outcome: 'busy' };

/** Everything outside the ledger that a claim depends on. */
export interface Surroundings {
  readonly clock: Clock;
  readonly host: Host;
}

/**
 * Takes the head of an inbox, in order. The attempt, with its holder and mark, is on disk when the
 * transaction is, and that is before anything outside is touched (rule 2). Two claims never hold
 * the same message: the move out of `queued` is one guarded statement.
 */
export async function claim(
  tx: LedgerTransaction,
  { clock, host }: Surroundings,
  request: ClaimRequest,
): Promise<ClaimResult> {
  const at = clock.now();
  const { recipient, route, epoch, provable, count, bytes } = request;
  const { urgentOnly = false, inParts = false, only, standing = 'notice' } = request;
  const withUncertain = !isInjecting(route);
  const wanted = limitStanding(request);
  const bound = { count, bytes, now: at, withUncertain, urgentOnly, inParts, ...wanted };
  const waiting: Message[] = [];
  const listed =
    only === undefined
      ? await tx.messages.listWaiting(recipient, bound)
      : await listOnly(tx, at, recipient, only);
  for (const message of listed) {
    if (message.state === 'queued') waiting.push(message);
    else if (await offerAgain(tx, at, message)) waiting.push({ ...message, mayRepeat: true });
  }
  const { head, others } = (await request.choose?.(waiting)) ?? { head: waiting, others: 0 };
  if (head.length === 0) return { outcome: 'empty' };
  const opened = await tx.claims.open({
    recipient,
    route,
    epoch,
    provable,
    mark: createMark(),
    holder: host.identity,
    at,
    takenAtMs: clock.monotonicMs(),
    leaseMs: request.leaseMs ?? defaultLeaseMs,
    isBehindTurn: request.isBehindTurn ?? false,
    others,
    ...((await isFurther(tx, request, head)) ? { isFurther: true } : {}),
    ...(request.isBegun ? { step: 'begun' } : {}),
  });
  if (!opened) return { outcome: 'busy' };
  const { token } = opened;
  const held = await hold(tx, at, opened, head, standing);
  const carried = head.filter((message) => held.has(message.id));
  const tried = carried.filter(({ attempts }) => attempts > 1).map(({ id }) => id);
  if (route === 'pull') await foldTries(tx, opened, tried);
  const messages = carried.map(
    (message): Message => ({
      ...message,
      state: 'claimed',
      token,
      carriedAs: standing,
      attempts: message.attempts + 1,
    }),
  );
  return { outcome: 'claimed', claim: opened, messages };
}

/** Which of those that wait may be taken, by their standing. */
export function limitStanding({
  standing,
  leavesPrompts,
}: Pick<ClaimRequest, 'standing' | 'leavesPrompts'>): Pick<WaitingBound, 'standing'> {
  if (leavesPrompts) return { standing: 'notice' };
  return standing === 'prompt' ? { standing } : {};
}

/** One message that its recipient asked for by its id, while nobody carries it. */
async function listOnly(
  tx: LedgerTransaction,
  now: number,
  recipient: string,
  id: string,
): Promise<readonly Message[]> {
  const message = await tx.messages.find(id);
  if (message?.to !== recipient) return [];
  const isQueued = message.state === 'queued' && (message.expiresAt ?? now + 1) > now;
  return isQueued || message.state === 'uncertain' ? [message] : [];
}

/** What of these it could take: each is moved by one guarded statement. */
async function hold(
  tx: LedgerTransaction,
  at: number,
  opened: Claim,
  messages: readonly Message[],
  carriedAs: Standing,
): Promise<ReadonlySet<string>> {
  const { token, route, epoch } = opened;
  const ids = messages.map(({ id }) => id);
  const why = {
    code: 'claimed',
    cause: `claimed for the ${route} route${sayRestarts(epoch)}`,
  } as const;
  const move = { from: 'queued', to: 'claimed', at, ...why, set: { token, carriedAs } } as const;
  const moved = (await tx.messages.move(ids, move)).map(({ id }) => id);
  await tx.claims.addAttempts(moved, opened);
  return new Set(moved);
}

/**
 * Takes one message for a caller that waits for it, in the transaction that commits it: nobody else
 * can carry it (rule 31). The lease is the waiter's own; if its process is dead, that is found out
 * like of any holder.
 */
export async function claimFor(
  tx: LedgerTransaction,
  at: number,
  waiter: Waiter,
  message: Message,
): Promise<void> {
  const opened = await tx.claims.open({
    recipient: message.to,
    route: 'pull',
    epoch: (await tx.agents.find(message.to))?.epoch ?? 0,
    provable: true,
    mark: createMark(),
    holder: waiter.holder,
    at,
    takenAtMs: waiter.sinceMs,
    leaseMs: waiter.leaseMs,
    isBehindTurn: false,
    others: 0,
  });
  if (!opened) return;
  await hold(tx, at, opened, [message], 'notice');
  if (message.attempts > 1) await foldTries(tx, opened, [message.id]);
}

/** A pull hands out uncertain messages again, without limit, each time marked (rules 10, 18). */
async function offerAgain(tx: LedgerTransaction, at: number, message: Message): Promise<boolean> {
  const why = { code: 'handed-out-again', cause: 'handed out again; it may be a repeat' } as const;
  const set = { mayRepeat: true };
  return (await returnToQueue(tx, at, message, why, { set })) === 'queued';
}

/**
 * Asked immediately before the act: does the token still hold, and is there time? An act not begun
 * within half the lease is abandoned, and the messages are queued again, since nothing outside was
 * touched (rule 3).
 */
export async function beginAct(
  tx: LedgerTransaction,
  { clock, host }: Surroundings,
  token: number,
): Promise<'go' | 'stale' | 'late'> {
  const held = await tx.claims.find(token);
  if (!held || held.endedAt !== undefined) return 'stale';
  const here = { boot: host.identity.boot, monotonicMs: clock.monotonicMs() };
  if (isLeaseExpired(held, here)) {
    await loseSight(tx, clock.now(), held, leaseExpired);
    return 'late';
  }
  if (!isTooLateToAct(held, here)) {
    // On disk before anything outside is touched: without it a death proves that nothing was
    // (rule 12).
    await tx.claims.note(token, { step: 'begun' });
    return 'go';
  }
  await abandon(tx, clock.now(), held, tooLate);
  return 'late';
}

export const leaseExpired: Cause = { code: 'lease-expired', cause: 'the lease expired' };
const tooLate: Cause = {
  code: 'too-late',
  cause: 'abandoned: half of the lease had passed before the act',
};

/**
 * The same question for an act whose claim said that it begins: nothing is to be written any more
 * (rules 2, 3).
 */
export async function mayAct(
  tx: LedgerTransaction,
  { clock, host }: Surroundings,
  token: number,
): Promise<boolean> {
  const held = await tx.claims.find(token);
  const here = { boot: host.identity.boot, monotonicMs: clock.monotonicMs() };
  return held !== undefined && held.endedAt === undefined && !isTooLateToAct(held, here);
}

/** The act is done. Returns what it carried, less what was answered for or moved on meanwhile. */
export async function recordInjected(
  tx: LedgerTransaction,
  at: number,
  token: number,
  cause: string,
): Promise<readonly Message[]> {
  const held = await tx.claims.find(token);
  if (!held || held.endedAt !== undefined) return [];
  const carried = await tx.claims.listCarried(held, 'claimed');
  const ids = carried.map((message) => message.id);
  const move = { from: 'claimed', to: 'injected', at, code: 'put-in', cause, token } as const;
  const moved = new Set((await tx.messages.move(ids, move)).map(({ id }) => id));
  await tx.claims.setOutcome([...moved], token, 'injected');
  await tx.claims.endIfEmpty(token, at);
  return carried
    .filter((message) => moved.has(message.id))
    .map((message) => ({ ...message, state: 'injected' }));
}

/** We died or lost sight between claim and proof: never `queued`, always `uncertain` (rule 3). */
export async function loseSight(
  tx: LedgerTransaction,
  at: number,
  held: Claim,
  why: Cause,
): Promise<number> {
  let lost = 0;
  for (const from of ['claimed', 'injected'] as const) {
    const carried = await tx.claims.listCarried(held, from);
    const ids = carried.map((message) => message.id);
    const moved = await tx.messages.move(ids, {
      from,
      to: 'uncertain',
      at,
      ...why,
      token: held.token,
    });
    const lostIds = moved.map(({ id }) => id);
    await tx.claims.setOutcome(lostIds, held.token, 'uncertain');
    lost += moved.length;
  }
  await tx.claims.endIfEmpty(held.token, at);
  return lost;
}
