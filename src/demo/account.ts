import type { Copy } from './journal.ts';

export interface SendingFact {
  readonly by: string;
  readonly to: string;
  readonly text: string;
}

export interface AcceptedFact extends SendingFact {
  readonly id: string;
}

export interface ReceivedFact extends Copy {
  readonly by: string;
}

export interface Account {
  /** Messages that a sending program was told are accepted. */
  readonly accepted: number;
  /** Of those, what the ledger calls answered for. The one number that is the ledger's own word. */
  readonly settled: number;
  /** Accepted, and never in the hands of the program it was for. */
  readonly lost: number;
  /** Copies after the first that did not say that they may be repeats. */
  readonly doubled: number;
  /** In the hands of a program that it was not for, or that nobody sent. */
  readonly misplaced: number;
}

export interface Facts {
  readonly sending: readonly SendingFact[];
  readonly accepted: readonly AcceptedFact[];
  readonly received: readonly ReceivedFact[];
  /** Ids, as the ledger has them. */
  readonly settled: ReadonlySet<string>;
}

/**
 * Counts what the programs at both ends said they did, in the order in which they said it. Doubles are found by what was
 * written as well as by id: a ledger that made two messages out of one send would give them two ids. A program that was
 * killed between its send and the answer could not say that it was accepted: what it was about to send is no stranger's.
 */
export function countAccount({ sending, accepted, received, settled }: Facts): Account {
  const meant = new Set(sending.map(({ by, to, text }) => `${by} ${to} ${text}`));
  const sent = new Map(accepted.map((fact) => [fact.id, fact]));
  const arrived = new Set<string>();
  const seen = new Set<string>();
  let doubled = 0;
  let misplaced = 0;
  for (const { by, id, from, text, repeat } of received) {
    const letter = `${from}: ${text}`;
    if (!repeat && (seen.has(id) || seen.has(letter))) doubled++;
    seen.add(id).add(letter);
    if (sent.get(id)?.to === by) arrived.add(id);
    else if (sent.has(id) || !meant.has(`${from} ${by} ${text}`)) misplaced++;
  }
  const ids = [...sent.keys()];
  return {
    accepted: ids.length,
    settled: ids.filter((id) => settled.has(id)).length,
    lost: ids.filter((id) => !arrived.has(id)).length,
    doubled,
    misplaced,
  };
}

/** Nothing lost, doubled or misplaced, and nothing left over once all was quiet. */
export function isClean({ accepted, settled, lost, doubled, misplaced }: Account): boolean {
  return lost + doubled + misplaced === 0 && settled === accepted;
}
