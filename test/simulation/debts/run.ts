import { calm } from '../calm.ts';
import { explainOpen, readAccounts } from './accounts.ts';
import { checkDebts } from './check.ts';
import { countEnds } from './count-ends.ts';
import { TeamWorld } from './world.ts';

export interface DebtRun {
  readonly broken: readonly string[];
  readonly world: TeamWorld;
}

/**
 * A worker that rests is reminded after 10 s, and its giver is told 10 s after the rest that
 * follows. Milliseconds.
 */
const restMs = 30_000;
const mostRounds = 12;

/** One storm of debts, until whoever waits has been told. */
export async function runDebts(seed: number): Promise<DebtRun> {
  const world = new TeamWorld(seed);
  await world.stormOfDebts();
  for (let round = 0; round < mostRounds; round++) {
    await calm(world);
    const { scheduler } = world;
    const end = scheduler.monotonicMs + restMs;
    await scheduler.run(() => scheduler.monotonicMs >= end);
    const accounts = await readAccounts(world);
    if (accounts.every((account) => explainOpen(world, account, accounts) !== undefined)) break;
  }
  await calm(world);
  const broken = await checkDebts(world);
  await countEnds(world);
  return { broken, world };
}
