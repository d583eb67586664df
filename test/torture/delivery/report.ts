import { Judged } from '../../support/judged.ts';
import type { Account, Finding } from './account.ts';
import { type Check, checks, listDue } from './checks.ts';

/** One document: what `--json` prints. */
export interface Outcome {
  readonly suite: 'delivery';
  readonly seed: number;
  readonly seconds: number;
  /** From the end of the load until nothing was under way. */
  readonly restSeconds: number;
  readonly ok: boolean;
  readonly account: {
    readonly accepted: number;
    readonly delivered: number;
    readonly wentWithLife: number;
    readonly dead: number;
    readonly lost: number;
    readonly doubled: number;
    readonly misplaced: number;
    readonly outOfOrder: number;
    readonly disagreements: number;
  };
  readonly copies: number;
  readonly markedRepeats: number;
  /** Classes of what was given up. */
  readonly givenUp: Readonly<Record<string, number>>;
  readonly attempts: Readonly<Record<string, number>>;
  readonly kills: Readonly<Record<string, number>>;
  readonly people: Readonly<Record<string, number>>;
  /** How many cases each check met. */
  readonly judged: Readonly<Record<string, number>>;
  /** Checks that must have met a case, and met none. */
  readonly idle: readonly string[];
  readonly findings: readonly Finding[];
}

export function summarise(
  result: Account,
  about: Pick<Outcome, 'seed' | 'seconds' | 'restSeconds' | 'attempts' | 'kills' | 'people'>,
  more: {
    readonly misplaced: readonly Finding[];
    readonly complaints: readonly Finding[];
    readonly judged: readonly Judged<Check>[];
  },
): Outcome {
  const { accepted, delivered, wentWithLife, dead, lost, doubled, outOfOrder } = result;
  const misplaced = [...result.misplaced, ...more.misplaced];
  const disagreements = [...result.disagreements, ...more.complaints];
  const judged = new Judged<Check>();
  for (const one of [result.judged, ...more.judged]) judged.add(one);
  const idle = judged.listIdle(listDue(about.seconds));
  const findings = [lost, doubled, misplaced, outOfOrder, disagreements].flat();
  return {
    suite: 'delivery',
    ...about,
    ok: findings.length === 0 && idle.length === 0,
    account: {
      ...{ accepted, delivered, wentWithLife, dead },
      lost: lost.length,
      doubled: doubled.length,
      misplaced: misplaced.length,
      outOfOrder: outOfOrder.length,
      disagreements: disagreements.length,
    },
    copies: result.copies,
    markedRepeats: result.marked,
    givenUp: result.givenUp,
    judged: judged.countAll(checks),
    idle,
    findings,
  };
}

export function formatOutcome(outcome: Outcome): string {
  const { account, seed, seconds, restSeconds } = outcome;
  const lines = [
    `torture: delivery, ${seconds} s of load and ${restSeconds} s to come to rest, seed ${seed}`,
    '',
    row('accepted', account.accepted),
    row('  received by their programs', account.delivered),
    row('  sent into a life that ended', account.wentWithLife),
    row('  given up, sender told', account.dead),
    ...shares(outcome),
    row('copies received', outcome.copies),
    row('  marked as repeats', outcome.markedRepeats),
    '',
    'attempts, as the ledger has them',
    ...list(outcome.attempts),
    'killed or stopped',
    ...list(outcome.kills),
    'people, and what they do',
    ...list(outcome.people),
    '',
    row('lost', account.lost),
    row('doubled', account.doubled),
    row('misplaced', account.misplaced),
    row('out of order', account.outOfOrder),
    row('disagreements', account.disagreements),
    '',
    'cases that each check met',
    ...Object.entries(outcome.judged).map(([check, n]) => `  ${check}: ${n}`),
    '',
    ...outcome.idle.map((what) => `! ${what}`),
    ...outcome.findings.slice(0, 40).map(({ what }) => `! ${what}`),
    outcome.ok ? 'every accepted message is accounted for' : `FAILED with seed ${seed}`,
  ];
  return `${lines.join('\n')}\n`;
}

function list(counts: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(counts).map(([name, count]) => row(`  ${name}`, count));
}

/** Most first, with their share of all that was accepted. */
function shares({ givenUp, account }: Outcome): readonly string[] {
  const percent = (count: number): string => ((100 * count) / account.accepted).toFixed(2);
  return Object.entries(givenUp)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `    ${count} (${percent(count)} %) ${name}`);
}

function row(name: string, value: number): string {
  return `${name.padEnd(32)}${String(value).padStart(9)}`;
}
