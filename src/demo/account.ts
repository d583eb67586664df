import type { Account } from '../protocol/demo.ts';
import type { Copy } from './journal.ts';

export interface SendingFact {
  readonly by: string;
  readonly to: string;
  readonly text: string;
}

export interface AcceptedFact extends SendingFact {
  /** Absent for the answer with which a turn ends: its program is told none. */
  readonly id?: string;
}

export interface ReceivedFact extends Copy {
  readonly by: string;
}

export interface Facts {
  readonly sending: readonly SendingFact[];
  readonly accepted: readonly AcceptedFact[];
  readonly received: readonly ReceivedFact[];
  /** Short ids, as the ledger has them. */
  readonly settled: ReadonlySet<string>;
}

/**
 * Counts what the programs at both ends said they did, in the order in which they said it. A letter
 * is told from all others by its word as well as by its id: a ledger that made two messages out of
 * one send would give them two ids, and the end of a turn has none to tell. A program that was
 * killed between its send and the answer could not say that it was accepted: what it was about to
 * send is no stranger's. What no program wrote (that one has exited, say) has no word, and is only
 * looked at for second copies.
 */
export function countAccount({ sending, accepted, received, settled }: Facts): Account {
  const meant = new Set(sending.map(nameLetter));
  const letters = new Map(accepted.map((fact) => [fact.id ?? nameLetter(fact), fact]));
  const sent = new Map(
    accepted.flatMap((fact) => (fact.id === undefined ? [] : [[fact.id, fact]])),
  );
  /** By letter, and the ids under which it came. */
  const arrived = new Map<string, Set<string>>();
  const seen = new Set<string>();
  let doubled = 0;
  let misplaced = 0;
  for (const { by, id, from, text, repeat } of received) {
    const names = text === '' ? [id] : [id, `${from}: ${text}`];
    if (!repeat && names.some((name) => seen.has(name))) doubled++;
    for (const name of names) seen.add(name);
    if (text === '') continue;
    const letter = nameLetter({ by: from, to: by, text });
    const known = sent.get(id);
    const isHis = known ? known.to === by : meant.has(letter);
    if (!isHis) misplaced++;
    else note(arrived, known ? id : letter, id);
  }
  const names = [...letters.keys()];
  const isSettled = (name: string): boolean =>
    settled.has(name) || [...(arrived.get(name) ?? [])].some((id) => settled.has(id));
  return {
    accepted: names.length,
    settled: names.filter(isSettled).length,
    lost: names.filter((name) => !arrived.has(name)).length,
    doubled,
    misplaced,
  };
}

function nameLetter({ by, to, text }: SendingFact): string {
  return `${by} ${to} ${text}`;
}

function note(ids: Map<string, Set<string>>, name: string, id: string): void {
  ids.set(name, (ids.get(name) ?? new Set()).add(id));
}

/** Nothing lost, doubled or misplaced, and nothing left over once all was quiet. */
export function isClean({ accepted, settled, lost, doubled, misplaced }: Account): boolean {
  return lost + doubled + misplaced === 0 && settled === accepted;
}
