import { expect, test } from 'vitest';
import { Judged } from '../support/judged.ts';
import { sweep } from '../support/sweep.ts';
import { Account } from './account.ts';
import { type Event, listUnexercised } from './exercised.ts';
import { type Check, checks, listDue } from './judged.ts';
import { runWorld } from './run.ts';

/** One seed again: `STORM_SEED=17 npx vitest run --project simulation`. */
const chosen = process.env['STORM_SEED'];
const worlds = sweep(550, 60);

test(`the promise holds in ${worlds} storms, and nothing is open for 3 minutes at rest (rule 42)`, {
  timeout: 900_000,
}, async () => {
  const seeds = chosen ? [Number(chosen)] : Array.from({ length: worlds }, (_, i) => i + 1);
  const events = new Set<Event>();
  const account = new Account();
  const judged = new Judged<Check>();
  let carried = 0;
  for (const seed of seeds) {
    const run = await runWorld(seed);
    const first = run.broken.slice(0, 3).join('\n');
    expect(run.broken, `again with STORM_SEED=${seed}\n${first}`).toEqual([]);
    carried += run.carried;
    account.add(run.world.account);
    judged.add(run.world.truth.judged);
    for (const event of run.events) events.add(event);
  }
  process.stdout.write(`${seeds.length} storms, ${carried} messages\n${account.format()}\n`);
  process.stdout.write(`${judged.format(checks.delivery)}
`);
  if (chosen) return;
  expect(judged.listIdle(listDue('delivery', worlds < 550 ? 'few' : 'many'))).toEqual([]);
  if (worlds < 550) return;
  expect(carried).toBeGreaterThan(100_000);
  expect(listUnexercised(events)).toEqual([]);
  expect(account.listMissing()).toEqual([]);
});
