import { signalbox } from '../../../src/agents/agent.ts';
import type { Judged } from '../../support/judged.ts';
import type { Check } from './checks.ts';
import type { Copy, Facts, Finding, SendFact } from './facts.ts';

/**
 * Every copy came out of the inbox it was sent to, from whom it says, with the body that was sent.
 */
export function findMisplaced(facts: Facts, judged: Judged<Check>): readonly Finding[] {
  const sends = new Map(facts.sends.map((send) => [send.id, send]));
  const findings: Finding[] = [];
  for (const { inbox, copies } of facts.documents) {
    for (const copy of copies) {
      const isMessage = copy.kind === 'message';
      judged.note(isMessage ? 'misplaced: a message' : 'misplaced: a bounce or notice');
      const what = judgePlace(copy, inbox, sends);
      if (what) findings.push({ id: copy.id, what: `${copy.id}: ${what}` });
    }
  }
  return findings;
}

function judgePlace(
  copy: Copy,
  inbox: string,
  sends: ReadonlyMap<string, SendFact>,
): string | undefined {
  if (copy.to !== inbox) return `it is for ${copy.to}, and came out of the inbox of ${inbox}`;
  if (!copy.intact) return `its body is not the one that was sent to ${inbox}`;
  if (copy.kind === 'message') {
    const send = sends.get(copy.id);
    if (!send) return `nobody was told that it is accepted, and ${inbox} got it`;
    if (send.to !== inbox) return `it was sent to ${send.to}, and came to ${inbox}`;
    if (send.from !== copy.from) return `it was sent by ${send.from}, and says ${copy.from}`;
    return send.key === copy.key ? undefined : `it holds the body of ${copy.key}`;
  }
  const about = sends.get(copy.about ?? '');
  if (!about) return `a ${copy.kind} about nothing that was sent`;
  if (about.from !== inbox) return `a ${copy.kind} for ${about.from}, and ${inbox} got it`;
  return copy.from === signalbox.name ? undefined : `a ${copy.kind} in the name of ${copy.from}`;
}

/**
 * Rule 15, and that the ledger's sequence is the order of commit: one drainer gets first offers in
 * rising sequence, and of two sends, one of which was answered before the other began, the first
 * has the lower number.
 */
export function findOutOfOrder(facts: Facts, judged: Judged<Check>): readonly Finding[] {
  const seqOf = new Map(facts.rows.map(({ id, seq }) => [id, seq]));
  return [...findOvertaking(facts, seqOf, judged), ...findWrongSequence(facts, seqOf, judged)];
}

function findOvertaking(
  facts: Facts,
  seqOf: ReadonlyMap<string, number>,
  judged: Judged<Check>,
): readonly Finding[] {
  const last = new Map<string, { id: string; seq: number }>();
  const findings: Finding[] = [];
  for (const { drainer, inbox, copies } of facts.documents) {
    const line = `${drainer} ${inbox}`;
    for (const { id, repeat, urgent, attempts } of copies) {
      // Re-offers and urgent messages may overtake; so may what an earlier claim gave back
      // untouched.
      if (repeat || urgent || attempts > 1) continue;
      const seq = seqOf.get(id) ?? 0;
      const before = last.get(line);
      if (before) judged.note('out of order: a first offer behind another');
      if (before && seq <= before.seq) {
        const what = `${id} (${seq}) came to ${inbox} after ${before.id} (${before.seq})`;
        findings.push({ id, what: `${what}, through one drainer` });
      }
      last.set(line, { id, seq });
    }
  }
  return findings;
}

function findWrongSequence(
  facts: Facts,
  seqOf: ReadonlyMap<string, number>,
  judged: Judged<Check>,
): readonly Finding[] {
  const inSequence = facts.sends
    .flatMap((send) => {
      const seq = seqOf.get(send.id);
      return seq === undefined ? [] : [{ ...send, seq }];
    })
    .sort((a, b) => a.seq - b.seq);
  const findings: Finding[] = [];
  let latest = inSequence[0];
  let firstAnswerMs = Number.POSITIVE_INFINITY;
  for (const send of inSequence) {
    // Only of two sends that did not overlap does the order of their answers say anything.
    if (firstAnswerMs < send.beganAtMs)
      judged.note('out of order: a send after the answer of another');
    firstAnswerMs = Math.min(firstAnswerMs, send.answeredAtMs);
    if (latest && send.answeredAtMs < latest.beganAtMs) {
      const what = `${send.id} was answered before ${latest.id} began, and stands behind it`;
      findings.push({ id: send.id, what });
    }
    if (!latest || send.beganAtMs > latest.beganAtMs) latest = send;
  }
  return findings;
}
