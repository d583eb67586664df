import { expect, test } from 'vitest';
import { Judged } from '../../support/judged.ts';
import { sweep } from '../../support/sweep.ts';
import { type Check, checks, listDue } from '../judged.ts';
import { runDebts } from './run.ts';
import { Tally } from './tally.ts';

/** One seed again: `DEBTS_SEED=17 npx vitest run --project simulation test/simulation/debts`. */
const chosen = process.env['DEBTS_SEED'];
const storms = sweep(19, 5);

test('rules 26–31: each answer reaches its giver once, from a turn that held the task, and whoever waits is told', {
  timeout: 900_000,
}, async () => {
  const seeds = chosen ? [Number(chosen)] : Array.from({ length: storms }, (_, i) => i + 1);
  const tally = new Tally();
  const judged = new Judged<Check>();
  for (const seed of seeds) {
    const { broken, world } = await runDebts(seed);
    const first = broken.slice(0, 3).join('\n');
    expect(broken, `again with DEBTS_SEED=${seed}\n${first}`).toEqual([]);
    tally.add(world.tally);
    judged.add(world.truth.judged);
  }
  process.stdout.write(`${seeds.length} storms of debts\n${tally.format()}\n`);
  process.stdout.write(`${judged.format(checks.debts)}\n`);
  const many = storms < 19 ? 'few' : 'many';
  if (!chosen) expect(judged.listIdle(listDue('debts', many))).toEqual([]);
});
