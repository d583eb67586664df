// Tests: test/contracts/dropped-calls.test.ts.

import type { Attempt, Claim } from '../messages/claim.ts';
import type { MessageState } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * A pull may be repeated without limit (rule 10), and a client that drops each of its calls does:
 * 3,750 such calls left 111,524 attempts and 457,347 rows of history. Of tries that were cut off
 * one after another in the same life the first is kept and the last; the last says how many were
 * between them. The same of what was reserved for waits that were cancelled (rule 31): of that
 * nothing had left. No text that a model reads holds the mark of a pull, so no evidence can name
 * one that is gone (rule 7), and pulls do not count as attempts that may fail (rule 34).
 */
export async function foldTries(
  tx: LedgerTransaction,
  { token, epoch }: Claim,
  messageIds: readonly string[],
): Promise<void> {
  for (const id of messageIds) {
    const before = (await tx.claims.listAttempts(id)).filter((one) => one.token < token);
    const [first, last] = before.slice(-2);
    if (!first || !last || !mayFold(first, last, epoch)) continue;
    const states = (await tx.messages.history(id)).map(({ to }) => to);
    const cycle = last.outcome === 'abandoned' ? findReserved(states) : findCycle(states);
    if (!cycle) continue;
    await tx.messages.foldHistory(id, cycle.first, cycle.count);
    await tx.claims.fold(id, last.token, token);
  }
}

/**
 * A try that may have been read is left out only beside another of its turn: of one of them at
 * least the ledger knows.
 */
function mayFold(first: Attempt, last: Attempt, epoch: number): boolean {
  const isOurs = ({ route, isPointer, epoch: life }: Attempt): boolean =>
    route === 'pull' && !isPointer && life === epoch;
  if (!isOurs(first) || !isOurs(last)) return false;
  if (last.outcome === 'abandoned') return isOver(first);
  return isOver(last) && first.outcome === last.outcome && first.turn === last.turn;
}

function isOver({ outcome }: Attempt): boolean {
  return outcome === 'uncertain' || outcome === 'abandoned';
}

interface Cycle {
  readonly first: number;
  readonly count: number;
}

/**
 * The last way from one `uncertain` to the next, before the present claim; undefined where anything
 * else happened on it.
 */
function findCycle(states: readonly MessageState[]): Cycle | undefined {
  const end = states.lastIndexOf('uncertain');
  const start = states.lastIndexOf('uncertain', end - 1);
  if (end < 1 || start < 0) return undefined;
  const way = states.slice(start + 1, end + 1).join(' ');
  const since = states.slice(end + 1).join(' ');
  const isWhole = /^queued claimed( injected)? uncertain$/.test(way);
  return isWhole && since === 'queued claimed'
    ? { first: start + 1, count: end - start }
    : undefined;
}

/** The last way out of `queued` and back, before the present claim. */
function findReserved(states: readonly MessageState[]): Cycle | undefined {
  const isWhole = states.slice(-4).join(' ') === 'queued claimed queued claimed';
  return isWhole ? { first: states.length - 3, count: 2 } : undefined;
}
