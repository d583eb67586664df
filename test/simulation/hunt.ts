import { Judged } from '../support/judged.ts';
import { runDebts } from './debts/run.ts';
import { Tally } from './debts/tally.ts';
import { type Event, listUnexercised } from './exercised.ts';
import { type Check, listDue } from './judged.ts';
import { runWorld } from './run.ts';

/**
 * Storms until one breaks the promise: `node --import tsx test/simulation/hunt.ts 300`. Prints one
 * JSON document: the seed and what it broke, or what so many storms have not shown of all that
 * storms should show.
 */
const most = Number(process.argv[2] ?? 300);
const isOfDebts = process.argv[3] === 'debts';
const events = new Set<Event>();
const judged = new Judged<Check>();

/** What a hunt found. */
export interface Hunted {
  readonly broken?: string;
  readonly missing: readonly string[];
}

process.stdout.write(`${JSON.stringify(await (isOfDebts ? huntDebts() : hunt()))}\n`);

async function huntDebts(): Promise<Hunted> {
  const tally = new Tally();
  for (let seed = 1; seed <= most; seed++) {
    const { broken, world } = await runDebts(seed);
    tally.add(world.tally);
    judged.add(world.truth.judged);
    const [first] = broken;
    if (first !== undefined)
      return { broken: `seed ${seed}: ${first.split('\n')[0]}`, missing: [] };
  }
  return { missing: [...tally.listMissing(), ...judged.listIdle(listDue('debts'))] };
}

async function hunt(): Promise<Hunted> {
  for (let seed = 1; seed <= most; seed++) {
    const run = await runWorld(seed);
    for (const event of run.events) events.add(event);
    judged.add(run.world.truth.judged);
    const [first] = run.broken;
    if (first !== undefined)
      return { broken: `seed ${seed}: ${first.split('\n')[0]}`, missing: [] };
  }
  return { missing: [...listUnexercised(events), ...judged.listIdle(listDue('delivery'))] };
}
