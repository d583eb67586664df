import { systemClock } from '../../src/shared/clock.ts';
import { Account } from '../simulation/account.ts';
import { runDebts } from '../simulation/debts/run.ts';
import { Tally } from '../simulation/debts/tally.ts';
import { runWorld } from '../simulation/run.ts';

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
  let carried = 0;
  let crashes = 0;
  const { storms, failures } = await storm({ seconds, seed, say }, async (each) => {
    const run = await runWorld(each);
    carried += run.carried;
    crashes += run.crashes;
    account.add(run.world.account);
    return run.broken;
  });
  say(`${account.format()}\n`);
  const what = `${storms} storms, ${carried} messages, ${crashes} deaths of the daemon`;
  say(`${what}, ${failures} broken`);
  return failures === 0;
}

async function simulateDebts({ seconds, seed, say }: Wish): Promise<boolean> {
  const tally = new Tally();
  const { storms, failures } = await storm({ seconds, seed, say }, async (each) => {
    const { broken, world } = await runDebts(each);
    tally.add(world.tally);
    return broken;
  });
  say(`${tally.format()}\n`);
  say(`${storms} storms of debts, ${tally.describe()}, ${failures} broken`);
  return failures === 0;
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
