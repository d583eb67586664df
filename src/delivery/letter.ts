// Tests: test/contracts/mcp-long-messages.test.ts, test/contracts/hand-out.test.ts.

import { isLeaseExpired } from '../messages/claim.ts';
import type { Message } from '../messages/message.ts';
import type { HandedPart, PartHold } from '../messages/part-store.ts';
import { cutParts, wholeBytes } from '../messages/parts.ts';
import { Fault } from '../shared/fault.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { Surroundings } from './claim.ts';

/**
 * A message, or one part of it, on its way to whoever asked. Its body and its mark as a repeat are
 * those of the part.
 */
export interface Letter extends Message {
  readonly part?: { readonly number: number; readonly of: number };
  /**
   * The parts that its body is; empty where nothing is kept of them, since it goes out in one
   * piece.
   */
  readonly covers: readonly number[];
  /** How many parts there are. */
  readonly of: number;
}

export interface LetterWish {
  readonly epoch: number;
  /** Long bodies come in parts. */
  readonly inParts: boolean;
  /** This part, whatever became of it before. */
  readonly part?: number;
  /** A claim of its own covers it until it has arrived: in one piece it needs no other note. */
  readonly isClaimed: boolean;
}

/**
 * What of a message is handed out now: all of a short one; of a long one the first part that this
 * life was not handed, and that nobody else is handing out. Undefined: others have what is left.
 * One that was handed out whole and is offered again all the same, since no answer followed, begins
 * anew, marked.
 */
export async function chooseLetter(
  tx: LedgerTransaction,
  surroundings: Surroundings,
  message: Message,
  { epoch, inParts, part, isClaimed }: LetterWish,
): Promise<Letter | undefined> {
  const known = await tx.parts.list(message.id);
  const own = known.filter((row) => row.epoch === epoch);
  const isFree = (number: number): boolean =>
    !own.some((row) => row.part === number && isTaken(row, surroundings));
  const texts = cutParts(message.body);
  const of = texts.length;
  const isShort = Buffer.byteLength(message.body) <= wholeBytes;
  const all = texts.map((_, i) => i + 1);
  if (part === undefined && (!inParts || (isShort && own.length === 0))) {
    if (own.some((row) => row.state === 'out' && isTaken(row, surroundings))) return undefined;
    const covers = isClaimed && known.length === 0 ? [] : all;
    return { ...message, mayRepeat: message.mayRepeat || known.length > 0, covers, of };
  }
  const isWhole = own.filter((row) => row.state === 'handed').length === of;
  if (isWhole && part === undefined) {
    for (const row of own) await tx.parts.put({ ...row, state: 'uncertain' });
  }
  const number = part ?? (isWhole ? 1 : all.find(isFree));
  if (number === undefined) return undefined;
  const body = texts[number - 1];
  if (body === undefined) throw noSuchPart(message.id, of);
  return {
    ...message,
    body,
    // Once anything is known of its parts, each speaks for itself: of one that nobody took there is
    // no copy.
    mayRepeat: known.length === 0 ? message.mayRepeat : known.some((row) => row.part === number),
    part: { number, of },
    covers: [number],
    of,
  };
}

/** On disk before it leaves: from here on a death leaves this part uncertain (rule 16). */
export async function sendOut(
  tx: LedgerTransaction,
  { id: messageId, covers }: Pick<Letter, 'id' | 'covers'>,
  epoch: number,
  hold: PartHold,
): Promise<void> {
  const before = await tx.parts.list(messageId);
  for (const part of covers) {
    const known = before.find((row) => row.epoch === epoch && row.part === part);
    // What it was handed it has, also when it asks for it again.
    if (known?.state !== 'handed') {
      await tx.parts.put({ messageId, epoch, part, state: 'out', hold });
    }
  }
}

/** It has arrived. Says whether the whole body has by now. */
export async function arrive(
  tx: LedgerTransaction,
  { id: messageId, covers, of }: Pick<Letter, 'id' | 'covers' | 'of'>,
  { epoch, line }: { readonly epoch: number; readonly line?: string },
): Promise<boolean> {
  if (covers.length === 0) return true;
  const by = line === undefined ? {} : { line };
  for (const part of covers) {
    await tx.parts.put({ messageId, epoch, part, state: 'handed', ...by });
  }
  const known = await tx.parts.list(messageId);
  return known.filter((row) => row.epoch === epoch && row.state === 'handed').length >= of;
}

/** Nobody knows whether it arrived: it is offered again, marked. */
export async function doubt(
  tx: LedgerTransaction,
  { id: messageId, covers }: Pick<Letter, 'id' | 'covers'>,
  epoch: number,
  hold: PartHold,
): Promise<void> {
  for (const { hold: held, ...row } of await tx.parts.list(messageId)) {
    const isOurs = row.epoch === epoch && covers.includes(row.part) && held?.id === hold.id;
    if (isOurs && row.state === 'out') await tx.parts.put({ ...row, state: 'uncertain' });
  }
}

/** Handed, or being handed out by a process that still may. */
function isTaken({ state, hold }: HandedPart, { clock, host }: Surroundings): boolean {
  if (state !== 'out' || !hold) return state === 'handed';
  const life = host.judge(hold.holder);
  const here = { boot: host.identity.boot, monotonicMs: clock.monotonicMs() };
  // As of a claim: of a holder that nobody here can see the lease decides alone (rule 2).
  return life === 'alive' || (life === 'unknown' && !isLeaseExpired(hold, here));
}

function noSuchPart(id: string, of: number): Fault {
  const has = of === 1 ? 'one part' : `${of} parts`;
  return new Fault('usage', `${id} has ${has}.`, `Ask for part 1 to ${of}.`);
}
