import { Judged } from '../../support/judged.ts';
import { findMisplaced, findOutOfOrder } from './check-copies.ts';
import { findDoubled } from './check-doubles.ts';
import type { Check } from './checks.ts';
import type { Copy, Facts, Finding, LedgerRow, SendFact } from './facts.ts';

export interface Account {
  readonly accepted: number;
  /** How each accepted message ended, by the observer: every one is counted exactly once. */
  readonly received: number;
  readonly ackedById: number;
  readonly expired: number;
  readonly dead: number;
  readonly lost: readonly Finding[];

  readonly copies: number;
  readonly markedRepeats: number;
  readonly bounces: number;
  readonly notices: number;

  readonly doubled: readonly Finding[];
  readonly misplaced: readonly Finding[];
  readonly outOfOrder: readonly Finding[];
  /** Where the observer and the ledger, or the ledger and the rules, say different things. */
  readonly disagreements: readonly Finding[];
  /** How many cases each check met. */
  readonly judged: Judged<Check>;
}

/**
 * Holds what was received against what was accepted, and both against the ledger's own word. Pure,
 * so that a test can show that each kind of fault is found.
 */
export function account(facts: Facts): Account {
  const copies = facts.documents.flatMap((document) => document.copies);
  const news = indexNews(copies);
  const received = new Set(copies.map(({ id }) => id));
  const acked = new Set(facts.acks.map(({ id }) => id));
  const rows = new Map(facts.rows.map((row) => [row.id, row]));
  const count = { received: 0, ackedById: 0, expired: 0, dead: 0 };
  const judged = new Judged<Check>();
  const lost: Finding[] = [];
  const disagreements: Finding[] = [];
  for (const send of facts.sends) {
    const { id } = send;
    const row = rows.get(id);
    if (received.has(id)) count.received++;
    else if (acked.has(id)) count.ackedById++;
    else if (news.bounced.has(id) && row?.state === 'expired') count.expired++;
    else if (news.bounced.has(id) && row?.state === 'dead') count.dead++;
    else lost.push({ id, what: `${id} from ${send.from} to ${send.to} is lost: ${tell(row)}` });
    const facet = { received: received.has(id), acked: acked.has(id) };
    for (const what of compare(send, row, { ...facet, news, facts, judged })) {
      disagreements.push({ id, what: `${id}: ${what}` });
    }
  }
  disagreements.push(...findUnknown(facts, received, judged));
  judged.note('lost: an accepted message', facts.sends.length);
  judged.note('lost: expired, its sender told', count.expired);
  judged.note('lost: dead, its sender told', count.dead);
  return {
    accepted: facts.sends.length,
    ...count,
    lost,
    copies: copies.length,
    markedRepeats: copies.filter(({ repeat }) => repeat).length,
    bounces: news.bounces,
    notices: news.notices,
    doubled: findDoubled(facts, judged),
    misplaced: findMisplaced(facts, judged),
    outOfOrder: findOutOfOrder(facts, judged),
    disagreements,
    judged,
  };
}

interface News {
  readonly bounced: ReadonlySet<string>;
  readonly noticed: ReadonlySet<string>;
  readonly bounces: number;
  readonly notices: number;
}

function indexNews(copies: readonly Copy[]): News {
  const about = (kind: 'bounce' | 'notice'): ReadonlySet<string> =>
    new Set(copies.flatMap((copy) => (copy.kind === kind && copy.about ? [copy.about] : [])));
  const bounced = about('bounce');
  const noticed = about('notice');
  return { bounced, noticed, bounces: bounced.size, notices: noticed.size };
}

/**
 * What the ledger says about one accepted message, where that does not fit what happened outside.
 */
function compare(
  { id, to, mayExpire }: SendFact,
  row: LedgerRow | undefined,
  seen: {
    received: boolean;
    acked: boolean;
    news: News;
    facts: Facts;
    judged: Judged<Check>;
  },
): readonly string[] {
  const { received, acked, news, facts, judged } = seen;
  const wrong: string[] = [];
  switch (row?.state) {
    case undefined:
      return ['it was accepted, and the ledger does not know it'];
    case 'acked':
      judged.note('ledger: acked');
      if (!received && !acked) wrong.push('the ledger says acked, and nobody took or acked it');
      // Rule 36: whoever was told that it will not arrive is told that it did.
      if (news.bounced.has(id)) {
        judged.note('ledger: bounced, then acked');
        if (!news.noticed.has(id))
          wrong.push('it was bounced and then acked, and its sender was not told again');
      }
      return wrong;
    case 'expired':
      judged.note('ledger: expired');
      if (!mayExpire) wrong.push('it expired, and had no time to live');
      if (received) wrong.push('it was received, and the ledger says expired');
      break;
    case 'dead':
      judged.note('ledger: dead');
      // Received and dead is in order: its taker was killed before the ack, and the bounce says it
      // may have been read.
      if (!facts.removed.has(to)) wrong.push(`it is dead, and ${to} was never removed`);
      break;
    default:
      return [`the ledger says ${row?.state}, which is no end`];
  }
  if (acked) wrong.push(`it was acked by id, and the ledger says ${row.state}`);
  if (!news.bounced.has(id)) wrong.push(`it is ${row.state}, and its sender got no bounce`);
  return wrong;
}

/**
 * Nothing may be in the ledger or come out of it that nobody outside put there; what is told must
 * have been heard.
 */
function findUnknown(
  facts: Facts,
  received: ReadonlySet<string>,
  judged: Judged<Check>,
): readonly Finding[] {
  const known = new Set(facts.sends.map(({ id }) => id));
  const rows = new Set(facts.rows.map(({ id }) => id));
  const findings: Finding[] = [];
  for (const { id, kind, to, state } of facts.rows) {
    if (kind === 'message') {
      if (!known.has(id)) findings.push({ id, what: `${id}: nobody was told that it is accepted` });
      continue;
    }
    judged.note('ledger: a bounce or notice that was taken');
    if (state !== 'acked' || !received.has(id))
      findings.push({ id, what: `${id}: a ${kind} for ${to} was not taken (${state})` });
  }
  judged.note('ledger: a copy that it knows', received.size);
  for (const id of received) {
    if (!rows.has(id)) findings.push({ id, what: `${id}: handed out, and not in the ledger` });
  }
  return findings;
}

function tell(row: LedgerRow | undefined): string {
  return row ? `the ledger says ${row.state}` : 'the ledger does not know it';
}
