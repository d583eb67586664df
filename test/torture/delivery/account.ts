import { maxNotLanded } from '../../../src/delivery/resolve.ts';
import type { Standing } from '../../../src/messages/standing.ts';
import { Judged } from '../../support/judged.ts';
import type { Check } from './checks.ts';
import type { LedgerRow } from './ledger-word.ts';
import type { Copy, Receipt } from './receipts.ts';
import type { Sent } from './senders.ts';

/**
 * Something that should not be. It names the message it is about, so that its story can be printed.
 */
export interface Finding {
  readonly id?: string;
  readonly what: string;
}

export interface Facts {
  readonly sent: readonly Sent[];
  /** What the programs got, those of one agent in their order. */
  readonly receipts: readonly Receipt[];
  readonly rows: readonly LedgerRow[];
}

export interface Account {
  readonly accepted: number;
  readonly delivered: number;
  readonly copies: number;
  readonly marked: number;
  /** Not received, and said to be sent into a life that is over. */
  readonly wentWithLife: number;
  /** Given up after copies that nobody can prove; the sender was told. */
  readonly dead: number;
  /**
   * The same, by whether its program got it all the same, and by how its copies were lost sight of.
   */
  readonly givenUp: Readonly<Record<string, number>>;
  readonly lost: readonly Finding[];
  readonly doubled: readonly Finding[];
  readonly misplaced: readonly Finding[];
  readonly outOfOrder: readonly Finding[];
  readonly disagreements: readonly Finding[];
  /** How many cases each check met. */
  readonly judged: Judged<Check>;
}

/** These programs keep no records: a first copy and three marked ones (rule 34). */
const fewestDoubts = 4;

interface Got extends Copy {
  readonly agent: string;
  readonly mark: string;
  readonly standing: Standing;
}

/** Every accepted message, by what the programs received; then whether the ledger says the same. */
export function account(facts: Facts): Account {
  const judged = new Judged<Check>();
  judged.note('lost: an accepted message', facts.sent.length);
  const got = new Map<string, Got[]>();
  for (const { agent, mark, standing, copies } of facts.receipts) {
    for (const copy of copies) {
      const known = got.get(copy.id) ?? [];
      known.push({ ...copy, agent, mark, standing });
      got.set(copy.id, known);
    }
  }
  const rows = new Map(facts.rows.map((row) => [row.id, row]));
  const bounced = new Set(
    facts.rows.flatMap(({ kind, about }) => (kind === 'bounce' && about ? [about] : [])),
  );
  const all = [...got.values()].flat();
  const missing = facts.sent.filter(({ id }) => !got.has(id));
  const isExcused = ({ id }: Sent): boolean =>
    isOverWithLife(rows.get(id)) || bounced.has(id) || rows.get(id)?.isTakenBack === true;
  const dead = facts.sent.filter(({ id }) => rows.get(id)?.state === 'dead');
  return {
    accepted: facts.sent.length,
    delivered: facts.sent.length - missing.length,
    copies: all.length,
    marked: all.filter(({ repeat }) => repeat).length,
    wentWithLife: missing.filter(({ id }) => isOverWithLife(rows.get(id))).length,
    dead: dead.length,
    givenUp: classify(dead, got, rows),
    lost: missing
      .filter((sent) => !isExcused(sent))
      .map(({ id, key }) => ({
        id,
        what: `${key} was received by nobody (${rows.get(id)?.state})`,
      })),
    doubled: findDoubled(got, judged),
    misplaced: findMisplaced(facts.sent, got, judged),
    outOfOrder: findOutOfOrder(facts, rows, judged),
    disagreements: facts.rows.flatMap((row) =>
      compare(row, got.get(row.id) ?? [], { bounced, judged }),
    ),
    judged,
  };
}

function classify(
  dead: readonly Sent[],
  got: ReadonlyMap<string, readonly Got[]>,
  rows: ReadonlyMap<string, LedgerRow>,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { id } of dead) {
    const doubts = [...new Set(rows.get(id)?.doubts ?? [])].sort().join(' + ');
    const name = `${got.has(id) ? 'received' : 'never received'}: ${doubts || 'no doubt on record'}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function isOverWithLife(row: LedgerRow | undefined): boolean {
  return row?.state === 'injected' && row.attempts.at(-1)?.isOver === true;
}

/**
 * Of several copies only the first may be without the mark; copies of one recipient are in its
 * order.
 */
function findDoubled(
  got: ReadonlyMap<string, readonly Got[]>,
  judged: Judged<Check>,
): readonly Finding[] {
  return [...got].flatMap(([id, [, ...further]]) => {
    judged.note('doubled: a further copy', further.length);
    return further.some(({ repeat }) => !repeat)
      ? [{ id, what: `${id} came a second time, unmarked` }]
      : [];
  });
}

function findMisplaced(
  sent: readonly Sent[],
  got: ReadonlyMap<string, readonly Got[]>,
  judged: Judged<Check>,
): readonly Finding[] {
  const known = new Map(sent.map((one) => [one.id, one]));
  return [...got].flatMap(([id, copies]) => {
    judged.note('misplaced: a copy', copies.length);
    const order = known.get(id);
    if (!order) return [{ id, what: `${id} came to ${copies[0]?.agent}, and nobody sent it` }];
    return copies.flatMap(({ agent, body, standing }, i) => {
      if (agent !== order.to)
        return [{ id, what: `${order.key} for ${order.to} came to ${agent}` }];
      if (order.standing === 'notice') judged.note('standing: a copy of a script’s message');
      else if (i === 0) judged.note('standing: a first copy of the user’s message');
      // The other way round is allowed: a prompt that waits for too long goes as a notice.
      if (order.standing === 'notice' && standing === 'prompt')
        return [{ id, what: `${order.key} came as a prompt of the user, who has not written it` }];
      return body === order.body
        ? []
        : [{ id, what: `${order.key} came as ${JSON.stringify(body)}` }];
    });
  });
}

/**
 * Those with one real try, by agent: a try that was given up before anything was touched does not
 * count (rule 15).
 */
function findOutOfOrder(
  facts: Facts,
  rows: ReadonlyMap<string, LedgerRow>,
  judged: Judged<Check>,
): readonly Finding[] {
  const last = new Map<string, LedgerRow>();
  const findings: Finding[] = [];
  for (const { agent, standing, copies } of facts.receipts) {
    for (const { id, repeat } of copies) {
      const row = rows.get(id);
      const tries = row?.attempts.filter(({ outcome }) => outcome !== 'abandoned') ?? [];
      if (!row || repeat || tries.length !== 1) continue;
      // Prompts go before notices (rule 51b).
      const line = `${agent} ${standing}`;
      const before = last.get(line);
      if (before) judged.note('out of order: a first copy behind another');
      if (before && before.seq > row.seq)
        findings.push({ id, what: `${id} (${row.seq}) came after ${before.id} (${before.seq})` });
      else last.set(line, row);
    }
  }
  return findings;
}

/** Does the ledger say of a message, and of each attempt, what its program saw? */
function compare(
  { id, kind, state, attempts, standing, isTakenBack }: LedgerRow,
  copies: readonly Got[],
  { bounced, judged }: { bounced: ReadonlySet<string>; judged: Judged<Check> },
): readonly Finding[] {
  if (kind !== 'message') return [];
  const findings: Finding[] = [];
  const say = (what: string): void => void findings.push({ id, what: `${id} ${what}` });
  const marks = new Set(copies.map(({ mark }) => mark));
  // This agent keeps no records: nothing about it can be proven, and "sent, unconfirmed" is the end
  // (rule 8).
  if (isTakenBack) {
    // Whose it was took it out of the composer, and nobody else is told.
    if (state !== 'dead') say(`is taken back and ${state}`);
  } else if (state === 'dead') {
    judged.note('ledger: dead');
    if (!bounced.has(id)) say('is dead, and its sender was not told');
    // The last of them bears the end of the message. Or rule 34's five that are proven not to have
    // landed.
    const doubtful = attempts.filter(
      ({ outcome }) => outcome === 'uncertain' || outcome === 'dead',
    );
    const vain = attempts.filter(({ outcome }) => outcome === 'not-landed');
    if (doubtful.length < fewestDoubts && vain.length < maxNotLanded)
      say(`is dead after ${doubtful.length} attempts that nobody can prove`);
  } else {
    judged.note('ledger: sent, at the end');
    if (state !== 'injected') say(`is ${state} at the end`);
  }
  for (const { mark, outcome, isOver } of attempts) {
    const isIn = marks.has(mark);
    const attempt = isIn ? 'an attempt that was received' : 'an attempt that was not received';
    judged.note(`ledger: ${attempt}`);
    if (!isOver) judged.note('ledger: an attempt into a life that goes on');
    if (isIn && (outcome === 'abandoned' || outcome === 'not-landed'))
      say(`was received in an attempt that the ledger calls ${outcome}`);
    if (!isIn && outcome === 'injected' && !isOver)
      say('is said to be sent in an attempt that its program, which lives, never received');
  }
  for (const mark of marks)
    if (!attempts.some((attempt) => attempt.mark === mark)) say('came under a mark it never had');
  const [only] = copies;
  if (attempts.length === 1 && only && standing !== undefined && only.standing !== standing)
    say(`came as a ${only.standing}, and the ledger calls it a ${standing}`);
  if (attempts.length === 1) judged.note('ledger: a first attempt', copies.length);
  if (attempts.length === 1 && copies.some(({ repeat }) => repeat))
    say('was called a repeat at its first attempt');
  return findings;
}
