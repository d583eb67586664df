import { systemClock } from '../../src/shared/clock.ts';
import { Account } from '../simulation/account.ts';
import { runWorld } from '../simulation/run.ts';

/** Storms from a seed on, for as long as wanted. True when the promise held in all of them. */
export async function simulate(given: {
  readonly seconds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}): Promise<boolean> {
  const end = systemClock.monotonicMs() + given.seconds * 1000;
  const account = new Account();
  let carried = 0;
  let crashes = 0;
  let failures = 0;
  let seed = given.seed;
  for (; systemClock.monotonicMs() < end; seed++) {
    const run = await runWorld(seed);
    carried += run.carried;
    crashes += run.crashes;
    account.add(run.world.account);
    if (run.broken.length === 0) continue;
    failures++;
    given.say(`seed ${seed}: ${run.broken.length} broken\n${run.broken.slice(0, 3).join('\n')}`);
  }
  const worlds = seed - given.seed;
  given.say(`${account.format()}\n`);
  given.say(
    `${worlds} storms, ${carried} messages, ${crashes} deaths of the daemon, ${failures} broken`,
  );
  return failures === 0;
}
