import { isUser } from '../agents/agent.ts';
import { envelopeBytes, envelopeCount } from '../messages/envelope.ts';
import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * Twenty workers that are done in the same moment are told of within 35 ms, with gaps of up to 26
 * (two cores, by their screens).
 */
const quietMs = 40;
/** No answer waits longer for others, however they trickle in. */
const mostMs = 200;

/**
 * How many answers wait for an agent at rest, when they are all that waits and more are owed to it.
 * Undefined: there is nothing to wait for, and least of all when the last one is in.
 */
export async function countGathering(
  tx: LedgerTransaction,
  agent: string,
  now: number,
): Promise<number | undefined> {
  if ((await tx.debts.listOwedTo(agent)).length === 0) return undefined;
  const bound = { now, count: envelopeCount, bytes: envelopeBytes };
  const waiting = await tx.messages.listWaiting(agent, { ...bound, withUncertain: false });
  return waiting.length < envelopeCount && waiting.every(isAnswer) ? waiting.length : undefined;
}

function isAnswer({ kind, from, replyTo, urgent }: Message): boolean {
  if (urgent || isUser({ id: from })) return false;
  return kind === 'completion' || replyTo.length > 0;
}

/**
 * Answers that come in the same moment begin one turn, not two (rule 21): the model of a parent
 * reads all it has for each of them. By time that never goes back, and held by nobody but this:
 * after a restart it is waited for once more.
 */
export class Gathering {
  #since: { readonly first: number; readonly last: number; readonly count: number } | undefined;

  /** Milliseconds to wait for more of them; 0 when it is time. */
  waitMs(count: number | undefined, now: number): number {
    const { first = now, last = now, count: known } = this.#since ?? {};
    const since = { first, last: count === known ? last : now, count: count ?? 0 };
    const leftMs = count === undefined ? 0 : Math.min(since.last + quietMs, first + mostMs) - now;
    this.#since = leftMs > 0 ? since : undefined;
    return Math.max(0, leftMs);
  }
}
