// Tests: src/delivery/batches.test.ts, src/delivery/open-delivery.test.ts.

import { isFree } from '../agents/wake-budget.ts';
import type { Claim, Route } from '../messages/claim.ts';
import { describeWait } from '../messages/describe-wait.ts';
import { countFitting, envelopeBytes, envelopeCount } from '../messages/envelope.ts';
import type { Syntax } from '../messages/escape-syntax.ts';
import type { Message } from '../messages/message.ts';
import { countFittingPrompts } from '../messages/prompt.ts';
import type { Standing } from '../messages/standing.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { abandonClaim } from './abandon-claim.ts';
import { countWake, listSpent, type WakeLimits } from './budgets.ts';
import type { Carried } from './carried.ts';
import {
  beginAct,
  type Chosen,
  type ClaimRequest,
  claim,
  limitStanding,
  loseSight,
  mayAct,
  recordInjected,
} from './claim.ts';
import { describeSenders } from './describe-senders.ts';
import type { DeliveryParts } from './parts.ts';
import type { Recipient } from './recipient.ts';
import { findSenders, isUsers, nameAll, write } from './write-attempt.ts';

/** A batch that is claimed and written down, and that nobody has seen yet. */
export interface Parcel {
  readonly claim: Claim;
  readonly messages: readonly Message[];
  readonly text: string;
  /** For the person who looks at the agent, where its CLI can show that. */
  readonly shown?: string;
}

export interface ParcelWish {
  readonly route: Route;
  readonly isBehindTurn?: boolean;
  readonly isBegun?: boolean;
  readonly limit?: 'urgent' | 'probe';
  /** As what it goes in; a notice unless it is said (rule 51). */
  readonly standing?: Standing;
  /** A prompt that came after the look is no notice because of that: it stays for the next look. */
  readonly leavesPrompts?: boolean;
  /**
   * It goes into a queue of the CLI's own: what has a time to live stays here, and whatever is
   * behind it (rules 5, 15).
   */
  readonly isQueued?: boolean;
  /**
   * It begins a turn, which counts, and takes nothing that a spent budget holds back unless it goes
   * along (rule 21).
   */
  readonly isWake?: boolean;
  /**
   * In the same transaction, before anything is taken (rule 19). False: nothing is. Undone if there
   * is nothing to take.
   */
  readonly reserve?: (tx: LedgerTransaction) => Promise<boolean>;
  /** Told the text before it is on disk: nothing may be done with it yet, but got ready. */
  readonly foresee?: (text: string) => void;
}

/** Undoes a transaction that came to nothing. */
class NothingTaken extends Error {}

/**
 * Takes the head of the inbox for one route, with its text: claim, attempt, mark and pointers are
 * on disk together.
 */
export async function pack(
  parts: DeliveryParts,
  recipient: Pick<Recipient, 'agent' | 'epoch' | 'ways'>,
  wish: ParcelWish,
): Promise<Parcel | undefined> {
  const { agent, epoch, ways } = recipient;
  const { route, limit, isBehindTurn = false, isBegun = false, standing = 'notice' } = wish;
  const syntax = ways.syntax?.[route];
  const request: ClaimRequest = {
    recipient: agent,
    route,
    epoch,
    provable: ways.provable.includes(route),
    count: limit === 'probe' ? 1 : envelopeCount,
    bytes: readBytes,
    isBehindTurn,
    isBegun,
    urgentOnly: limit === 'urgent',
    standing,
    leavesPrompts: wish.leavesPrompts ?? false,
  };
  const taking = parts.ledger.write(
    async (tx) => {
      if (wish.reserve && !(await wish.reserve(tx))) throw new NothingTaken();
      const now = parts.surroundings.clock.now();
      const choose = (waiting: readonly Message[]) =>
        wish.isWake
          ? chooseWaking(tx, request, waiting, { limits: parts.limits, now, syntax })
          : chooseFitting(tx, request, wish.isQueued ? untilTimed(waiting) : waiting, syntax);
      const taken = await claim(tx, parts.surroundings, { ...request, choose });
      if (taken.outcome !== 'claimed') throw new NothingTaken();
      const { text, pointers } = await write(tx, taken.claim, taken.messages, ways);
      if (wish.isWake) await countWake(tx, agent, taken.messages, now);
      wish.foresee?.(text);
      await tx.claims.setPointers(pointers, taken.claim.token);
      const shown = ways.showsSenders && { shown: await describeSenders(tx, taken.messages) };
      return { claim: taken.claim, messages: taken.messages, text, ...shown };
    },
    { haste: 'first' },
  );
  const parcel = await taking.catch((error: unknown) => {
    if (error instanceof NothingTaken) return undefined;
    throw error;
  });
  if (parcel) await reachFailPoint('deliver.claimed');
  return parcel;
}

/**
 * Of bodies that are read to find out what fits: those that are too long for any text are only
 * named in it.
 */
const readBytes = 32 * envelopeBytes;

function untilTimed(waiting: readonly Message[]): readonly Message[] {
  const first = waiting.findIndex(({ expiresAt }) => expiresAt !== undefined);
  return first < 0 ? waiting : waiting.slice(0, first);
}

/** A prompt holds words of the user alone, or tasks of agents alone, which are fenced (rule 51). */
function untilOther(waiting: readonly Message[]): readonly Message[] {
  const [first] = waiting;
  const end = waiting.findIndex((one) => first !== undefined && isUsers(one) !== isUsers(first));
  return end < 0 ? waiting : waiting.slice(0, end);
}

/** As many of the head as one text holds; the others are the next batch (rule 13). */
async function chooseFitting(
  tx: LedgerTransaction,
  { recipient, standing }: Pick<ClaimRequest, 'recipient' | 'standing'>,
  waiting: readonly Message[],
  syntax: Syntax | undefined,
): Promise<Chosen> {
  const alike = standing === 'prompt' ? untilOther(waiting) : waiting;
  if (standing === 'prompt' && alike.every(isUsers)) {
    return { head: alike.slice(0, countFittingPrompts(alike)), others: 0 };
  }
  const senderOf = await findSenders(tx, recipient, alike, syntax);
  const nameOf = await nameAll(tx, recipient, alike);
  const head = alike.slice(0, countFitting(alike, senderOf, nameOf));
  const queued = await tx.messages.count({ to: recipient, states: ['queued'], limit: 0 });
  return { head, others: Math.max(0, queued - head.length) };
}

/**
 * The head of the inbox, in order, as long as something in it may begin a turn: the others go
 * along. Where all of it is held back, only what is free of that goes, and overtakes it (rules 15,
 * 21).
 */
async function chooseWaking(
  tx: LedgerTransaction,
  request: ClaimRequest,
  waiting: readonly Message[],
  given: { readonly limits: WakeLimits; readonly now: number; readonly syntax: Syntax | undefined },
): Promise<Chosen> {
  const { recipient, count, bytes } = request;
  const chosen = await chooseFitting(tx, request, waiting, given.syntax);
  const spent = (await listSpent(tx, recipient, given)).map(({ budget }) => budget);
  if (spent.length === 0 || chosen.head.some((message) => isFree(message, spent))) return chosen;
  const wanted = limitStanding(request);
  const bound = { now: given.now, count, bytes, withUncertain: false, unlessHeldBy: spent };
  const free = await tx.messages.listWaiting(recipient, { ...bound, ...wanted });
  return chooseFitting(tx, request, free, given.syntax);
}

/** The ledger is asked immediately before the act, and keeps that it began (rules 2, 3, 12). */
export async function begin(parts: DeliveryParts, { claim: held }: Parcel): Promise<boolean> {
  const { ledger, surroundings } = parts;
  const isGo =
    held.step === 'begun'
      ? await ledger.read((tx) => mayAct(tx, surroundings, held.token))
      : (await ledger.write((tx) => beginAct(tx, surroundings, held.token), { haste: 'first' })) ===
        'go';
  if (isGo) await reachFailPoint('deliver.begun');
  return isGo;
}

/** For acts that somebody else does after asking us: begun and done in one step (rule 16). */
export async function commit(
  parts: DeliveryParts,
  parcel: Parcel,
  cause: string,
): Promise<boolean> {
  const { token } = parcel.claim;
  const done = await parts.ledger.write(async (tx) => {
    if ((await beginAct(tx, parts.surroundings, token)) !== 'go') return [];
    return recordInjected(tx, parts.surroundings.clock.now(), token, cause);
  });
  if (done.length > 0) await reachFailPoint('deliver.injected');
  return done.length > 0;
}

/** What the act came to, written down; `onRefused` in the same transaction. */
export async function record(
  parts: DeliveryParts,
  parcel: Parcel,
  result: Carried,
  given: {
    readonly cause: string;
    readonly onRefused?: (tx: LedgerTransaction) => Promise<void>;
  },
): Promise<void> {
  const { clock } = parts.surroundings;
  const { token } = parcel.claim;
  await reachFailPoint('deliver.acted');
  const writeDown = async (tx: LedgerTransaction): Promise<void> => {
    switch (result.outcome) {
      case 'taken':
        if (result.receipt !== undefined) {
          await tx.claims.note(token, { receipt: result.receipt.slice(0, 200) });
        }
        await recordInjected(tx, clock.now(), token, given.cause);
        return;
      case 'refused':
        await given.onRefused?.(tx);
        return abandonClaim(tx, clock.now(), token, {
          code: 'not-taken',
          cause: `not taken: ${describeWait(result.reason)}`.slice(0, 500),
        });
      case 'unknown': {
        const held = await tx.claims.find(token);
        const cause = `lost sight of it: ${describeWait(result.reason)}`.slice(0, 500);
        if (held) await loseSight(tx, clock.now(), held, { code: 'lost-sight', cause });
      }
    }
  };
  // Among many that are carried at once, those who still wait go first.
  await parts.ledger.write(writeDown, { haste: 'last' });
  await reachFailPoint('deliver.injected');
}
