import { systemClock } from '../../src/shared/clock.ts';
import { Account } from '../simulation/account.ts';
import { runDebts } from '../simulation/debts/run.ts';
import { Tally } from '../simulation/debts/tally.ts';
import { type Check, checks, listDue } from '../simulation/judged.ts';
import { runWorld } from '../simulation/run.ts';
import { Judged } from '../support/judged.ts';

export const kindsOfStorms = ['delivery', 'debts'] as const;
export type Storms = (typeof kindsOfStorms)[number];

interface Given {
  readonly seconds: number;
  readonly seed: number;
  readonly only: readonly Storms[];
  readonly say: (line: string) => void;
}

/**
 * Storms from a seed on, for as long as wanted, each kind for its share of that. True when the
 * promise held in all of them.
 */
export async function simulate({ only, seconds, ...given }: Given): Promise<boolean> {
  let isSound = true;
  for (const kind of only) {
    const run = kind === 'delivery' ? simulateDelivery : simulateDebts;
    isSound = (await run({ ...given, seconds: seconds / only.length })) && isSound;
  }
  return isSound;
}

type Wish = Omit<Given, 'only'>;

async function simulateDelivery({ seconds, seed, say }: Wish): Promise<boolean> {
  const account = new Account();
  const judged = new Judged<Check>();
  let carried = 0;
  let crashes = 0;
  const { storms, failures } = await storm({ seconds, seed, say }, async (each) => {
    const run = await runWorld(each);
    carried += run.carried;
    crashes += run.crashes;
    account.add(run.world.account);
    judged.add(run.world.truth.judged);
    return run.broken;
  });
  say(`${account.format()}\n`);
  const what = `${storms} storms, ${carried} messages, ${crashes} deaths of the daemon`;
  say(`${what}, ${failures} broken`);
  return hasJudged('delivery', judged, storms, say) && failures === 0;
}

async function simulateDebts({ seconds, seed, say }: Wish): Promise<boolean> {
  const tally = new Tally();
  const judged = new Judged<Check>();
  const { storms, failures } = await storm({ seconds, seed, say }, async (each) => {
    const { broken, world } = await runDebts(each);
    tally.add(world.tally);
    judged.add(world.truth.judged);
    return broken;
  });
  say(`${tally.format()}\n`);
  say(`${storms} storms of debts, ${tally.describe()}, ${failures} broken`);
  return hasJudged('debts', judged, storms, say) && failures === 0;
}

/** So many storms give every check something to judge; a few fewer may not. */
const enough: Readonly<Record<Storms, number>> = { delivery: 300, debts: 60 };

/** False when a check had nothing to judge in all of many storms: it has proven nothing. */
function hasJudged(kind: Storms, judged: Judged<Check>, storms: number, say: Wish['say']): boolean {
  say(judged.format(checks[kind]));
  const idle = judged.listIdle(listDue(kind));
  for (const check of idle) say(check);
  return idle.length === 0 || storms < enough[kind];
}

async function storm(
  { seconds, seed, say }: Wish,
  run: (seed: number) => Promise<readonly string[]>,
): Promise<{ readonly storms: number; readonly failures: number }> {
  const end = systemClock.monotonicMs() + seconds * 1000;
  let failures = 0;
  let storms = 0;
  for (; systemClock.monotonicMs() < end; storms++) {
    const broken = await run(seed + storms);
    if (broken.length === 0) continue;
    failures++;
    say(`seed ${seed + storms}: ${broken.length} broken\n${broken.slice(0, 3).join('\n')}`);
  }
  return { storms, failures };
}
