import type { Judged } from '../../support/judged.ts';
import type { Check } from './checks.ts';
import type { Copy, DocumentFact, Facts, Finding } from './facts.ts';

interface Handed {
  readonly copy: Copy;
  readonly document: DocumentFact;
}

/**
 * A message is handed out once; every further copy says that it may be one, and none comes after an
 * ack that is known to be on disk. Where no drainer was killed there is no further copy at all,
 * marked or not: otherwise marking everything would pass.
 */
export function findDoubled(facts: Facts, judged: Judged<Check>): readonly Finding[] {
  const handed = new Map<string, Handed[]>();
  for (const document of facts.documents) {
    for (const copy of document.copies) {
      const earlier = handed.get(copy.id);
      if (earlier) earlier.push({ copy, document });
      else handed.set(copy.id, [{ copy, document }]);
    }
  }
  const ackedAtMs = indexAcks(facts);
  const findings: Finding[] = [];
  for (const [id, copies] of handed) {
    const acked = ackedAtMs.get(id);
    noteCases(copies, acked, facts.calm, judged);
    const what = judge(copies, acked, facts.calm);
    if (what) findings.push({ id, what: `${id} ${what}` });
  }
  return [...findings, ...findDoubleBounces(handed, judged)];
}

function noteCases(
  handed: readonly Handed[],
  ackedAtMs: number | undefined,
  calm: ReadonlySet<string>,
  judged: Judged<Check>,
): void {
  judged.note('doubled: a further copy', handed.length - 1);
  judged.note('doubled: a marked repeat', handed.filter(({ copy }) => copy.repeat).length);
  if (ackedAtMs !== undefined) judged.note('doubled: a copy whose ack is known', handed.length);
  const inCalm = handed.filter(({ document }) => calm.has(document.inbox));
  judged.note('doubled: a copy where no drainer died', inCalm.length);
}

function judge(
  handed: readonly Handed[],
  ackedAtMs: number | undefined,
  calm: ReadonlySet<string>,
): string | undefined {
  // By attempt: pipes of two processes may be read in another order than they were written in.
  const [first, ...further] = [...handed].sort((a, b) => a.copy.attempts - b.copy.attempts);
  let previous = first;
  for (const next of further) {
    if (!next.copy.repeat) return 'was handed out a second time, unmarked';
    if (next.copy.attempts === previous?.copy.attempts)
      return 'was handed out twice in one attempt';
    previous = next;
  }
  for (const { copy, document } of handed) {
    if (ackedAtMs !== undefined && document.beganAtMs > ackedAtMs)
      return 'was handed out after its ack was on disk';
    if (calm.has(document.inbox) && (copy.repeat || copy.attempts > 1 || further.length > 0))
      return `was offered again in ${document.inbox}, where nobody died`;
    if (copy.repeat && copy.attempts < 2) return 'was marked as a repeat at its first attempt';
  }
  return undefined;
}

/** The earliest moment at which the world knew that it is acked. */
function indexAcks(facts: Facts): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  const note = (id: string, atMs: number): void => {
    known.set(id, Math.min(atMs, known.get(id) ?? Number.POSITIVE_INFINITY));
  };
  for (const { id, answeredAtMs } of facts.acks) note(id, answeredAtMs);
  for (const { copies, finishedAtMs } of facts.documents) {
    if (finishedAtMs !== undefined) for (const { id } of copies) note(id, finishedAtMs);
  }
  return known;
}

/**
 * One end, one bounce: a second one, under an id of its own, tells the sender of a second death.
 */
function findDoubleBounces(
  handed: ReadonlyMap<string, readonly Handed[]>,
  judged: Judged<Check>,
): readonly Finding[] {
  const bounceOf = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [id, [first]] of handed) {
    const about = first?.copy.kind === 'bounce' ? first.copy.about : undefined;
    if (about === undefined) continue;
    judged.note('doubled: a bounce');
    const other = bounceOf.get(about);
    if (other)
      findings.push({ id: about, what: `${about} was bounced twice, as ${other} and ${id}` });
    bounceOf.set(about, id);
  }
  return findings;
}
