import type { DoctorReport } from '../../../src/protocol/doctor.ts';
import { Judged } from '../../support/judged.ts';
import type { Account } from './account.ts';
import { type Check, checks, listDue } from './checks.ts';
import type { Finding, LedgerRow } from './facts.ts';
import type { Run } from './run.ts';

/** One document: what `--json` prints. */
export interface Outcome {
  readonly suite: 'ledger';
  readonly seed: number;
  readonly seconds: number;
  readonly ok: boolean;
  readonly account: {
    readonly accepted: number;
    readonly received: number;
    readonly ackedById: number;
    readonly expired: number;
    readonly dead: number;
    readonly lost: number;
    readonly doubled: number;
    readonly misplaced: number;
    readonly outOfOrder: number;
    readonly disagreements: number;
  };
  readonly copies: number;
  readonly markedRepeats: number;
  readonly bounces: number;
  readonly notices: number;
  readonly refused: number;
  readonly processes: number;
  readonly killsAtRandom: Readonly<Record<string, number>>;
  readonly killsByWindow: Readonly<
    Record<string, { readonly cli: number; readonly worker: number }>
  >;
  /** Drains that went on after their lease, and printed nothing. */
  readonly late: number;
  readonly ledger: Readonly<Record<string, number>>;
  /** How many cases each check met. */
  readonly judged: Readonly<Record<string, number>>;
  /** Checks and windows that must have met a case, and met none. */
  readonly idle: readonly string[];
  readonly findings: readonly Finding[];
}

export function summarise(
  run: Run,
  result: Account,
  about: {
    seed: number;
    /** As wanted: a slow machine makes the load longer, and does no more in it. */
    seconds: number;
    loadMs: number;
    rows: readonly LedgerRow[];
    ledger: DoctorReport['ledger'] | undefined;
  },
): Outcome {
  const judged = new Judged<Check>();
  judged.add(result.judged);
  judged.add(run.observer.judged);
  const disagreements = [
    ...result.disagreements,
    ...run.observer.complaints,
    ...compareCounts(about.rows, about.ledger, judged),
  ];
  const { lost, doubled, misplaced, outOfOrder } = result;
  const findings = [lost, doubled, misplaced, outOfOrder, disagreements].flat();
  const { accepted, received, ackedById, expired, dead } = result;
  const { copies, markedRepeats, bounces, notices } = result;
  const idle = [...judged.listIdle(listDue(about.seconds)), ...listUnhit(run)];
  return {
    suite: 'ledger',
    seed: about.seed,
    seconds: Math.round(about.loadMs / 1000),
    ok: findings.length === 0 && idle.length === 0,
    account: {
      ...{ accepted, received, ackedById, expired, dead },
      lost: lost.length,
      doubled: doubled.length,
      misplaced: misplaced.length,
      outOfOrder: outOfOrder.length,
      disagreements: disagreements.length,
    },
    ...{ copies, markedRepeats, bounces, notices },
    refused: run.observer.refused,
    processes: run.children.started,
    killsAtRandom: Object.fromEntries([...run.children.killsAtRandom].sort()),
    killsByWindow: Object.fromEntries(run.children.hits),
    late: run.late,
    ledger: about.ledger?.messages ?? {},
    judged: judged.countAll(checks),
    idle,
    findings,
  };
}

/** A slow machine may end the load before every window was hit. */
function listUnhit({ children }: Run): readonly string[] {
  const unhit = [...children.hits].filter(([, { cli, worker }]) => cli + worker === 0);
  return unhit.map(([name]) => `nothing to judge: a kill at ${name}`);
}

/** What `doctor` counts is what the rows say. */
function compareCounts(
  rows: readonly LedgerRow[],
  ledger: DoctorReport['ledger'] | undefined,
  judged: Judged<Check>,
): readonly Finding[] {
  const counts: Record<string, number> = {};
  for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  const told = ledger?.messages ?? {};
  const states = new Set([...Object.keys(counts), ...Object.keys(told)]);
  judged.note('ledger: a state that doctor counts', states.size);
  return [...states].flatMap((state) => {
    const [found = 0, said = 0] = [counts[state], told[state]];
    return found === said ? [] : [{ what: `doctor counts ${said} ${state}, there are ${found}` }];
  });
}

export function progressLine({ observer, children }: Run, seconds: number): string {
  const random = sum(children.killsAtRandom.values());
  const windows = sum([...children.hits.values()].map(({ cli, worker }) => cli + worker));
  const told = `${observer.sends.size} accepted, ${observer.waiting} waiting`;
  const killed = `${random} killed at random, ${windows} in windows`;
  return `${seconds.toFixed(0).padStart(4)} s: ${told}; ${children.started} processes, ${killed}`;
}

export function formatOutcome(outcome: Outcome): string {
  const { account, killsAtRandom, killsByWindow } = outcome;
  const lines = [
    `torture: ledger, ${outcome.seconds} s of load, seed ${outcome.seed}, ${outcome.processes} processes`,
    '',
    row('accepted', account.accepted),
    row('  received', account.received),
    row('  acked by id alone', account.ackedById),
    row('  expired and bounced', account.expired),
    row('  dead and bounced', account.dead),
    row('  lost', account.lost),
    '',
    row('copies received', outcome.copies),
    row('  marked as repeats', outcome.markedRepeats),
    row('bounced', outcome.bounces),
    row('told that it did arrive', outcome.notices),
    row('refused, recipient removed', outcome.refused),
    '',
    row('killed at random', sum(Object.values(killsAtRandom))),
    ...Object.entries(killsAtRandom).map(([role, n]) => row(`  ${role}`, n)),
    '',
    row('killed in a window', 'command', 'worker'),
    ...Object.entries(killsByWindow).map(([name, n]) => row(`  ${name}`, n.cli, n.worker)),
    '',
    row('held past the lease', outcome.late),
    '',
    row('lost', account.lost),
    row('doubled', account.doubled),
    row('misplaced', account.misplaced),
    row('out of order', account.outOfOrder),
    row('disagreements', account.disagreements),
    row('the ledger at the end', formatCounts(outcome.ledger)),
    '',
    'cases that each check met',
    ...Object.entries(outcome.judged).map(([check, n]) => `  ${check}: ${n}`),
    '',
    ...outcome.idle.map((what) => `! ${what}`),
    ...outcome.findings.slice(0, 40).map(({ what }) => `! ${what}`),
    outcome.ok ? 'every accepted message is accounted for' : 'FAILED',
  ];
  return `${lines.join('\n')}\n`;
}

function row(name: string, ...values: readonly (number | string)[]): string {
  const cells = values.map((value) => String(value).padStart(9));
  return `${name.padEnd(32)}${cells.join('')}`.trimEnd();
}

function formatCounts(counts: Readonly<Record<string, number>>): string {
  return `  ${Object.entries(counts)
    .map(([state, n]) => `${n} ${state}`)
    .join(', ')}`;
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}
