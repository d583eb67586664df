import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FakeClock } from '../fakes/clock.ts';
import { sweep } from '../support/sweep.ts';
import { engines } from './engines.ts';
import { Play } from './model/play.ts';
import { Promises } from './model/promise.ts';
import { send, steps } from './model/steps.ts';
import { World } from './world.ts';

/** SQLite pays an fsync per step; the in-memory engine can afford many more programs. */
const runs: Readonly<Record<string, number>> = sweep(
  { sqlite: 60, memory: 1000 },
  { sqlite: 12, memory: 150 },
);

test.each(engines.map((engine) => [engine.name, engine] as const))(
  'D2, D3, O2, O3, rules 1-5, 10, 15, 18, 28, 34-36: random programs keep the promise (%s)',
  async (name, engine) => {
    let moves = 0;
    const programs = fc.commands([...steps], { maxCommands: 60, size: 'max' });
    const property = fc.asyncProperty(programs, async (program) => {
      const clock = new FakeClock();
      const { ledger, dispose } = await engine.open(clock);
      try {
        const play = new Play(new World(ledger, clock));
        const promises = new Promises();
        for (const parent of [0, 1, 1]) {
          const agent = await play.add(parent);
          promises.living.add(agent.id);
          if (agent.parent) promises.children.set(agent.id, agent.parent);
        }
        for (let n = 0; n < 6; n++) await send(n, n + 1, n % 2 === 0, 0).run(promises, play);
        await fc.asyncModelRun(() => ({ model: promises, real: play }), program);
        for (const letter of promises.letters.values()) moves += letter.tries.size;
      } finally {
        await dispose();
      }
    });
    await fc.assert(property, { numRuns: runs[name] ?? 50 });
    // The programs did something: without attempts there was nothing to break.
    expect(moves).toBeGreaterThan(runs[name] ?? 50);
  },
);
