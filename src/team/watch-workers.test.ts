import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import type { Agent } from '../agents/agent.ts';
import { Bus } from '../events/bus.ts';
import type { Ledger } from '../store/ledger.ts';
import { WorkerWatch } from './watch-workers.ts';

const running = { id: 'agt_running' } as Agent;
const called = { id: 'agt_called', calledBy: 'agt_user' } as Agent;

/** A daemon's watch, on a clock that the test moves; it counts its looks. */
function openWatch(workers: readonly Agent[]) {
  const clock = new ManualClock();
  const bus = new Bus({ clock, boot: 'b', onError: () => undefined });
  const seen = { looks: 0, warned: [] as object[] };
  const work = { end: async (): Promise<unknown> => undefined, back: async () => undefined };
  const ledger = {
    read: async () => {
      seen.looks++;
      return workers;
    },
  } as unknown as Ledger;
  const watch = new WorkerWatch({
    ...{ ledger, bus, clock },
    log: { warn: (facts) => void seen.warned.push(facts) },
    fleet: { endWorker: () => work.end() as Promise<boolean>, bringBack: () => work.back() },
  });
  onTestFinished(() => watch.close());
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 50) {
      await clock.pass(Math.min(left, 50));
      for (let turns = 0; turns < 20; turns++) await new Promise((done) => setImmediate(done));
    }
  };
  const publish = (n: number): void => {
    const data = { state: 'queued', from: 'agt_a', to: 'agt_b' } as never;
    for (let i = 0; i < n; i++) bus.publish({ kind: 'message', message: `msg_${i}`, data });
  };
  return { watch, seen, work, pass, publish };
}

test('rule 55: a burst of news is one look, and so is a hint', async () => {
  const { watch, seen, pass, publish } = openWatch([]);
  watch.start();
  await pass(1000);
  expect(seen.looks).toBe(1);
  publish(40);
  await pass(3000);
  // One more for what came while it looked.
  expect(seen.looks).toBeLessThanOrEqual(3);
  const before = seen.looks;
  expect(before).toBeGreaterThan(1);
  watch.look();
  await pass(1000);
  expect(seen.looks).toBe(before + 1);
  // Nobody tells of what other processes write.
  await pass(31_000);
  expect(seen.looks).toBe(before + 2);
});

test('rule 55: trouble with one worker is told once until it goes well, and holds up no other', async () => {
  const { watch, seen, work, pass } = openWatch([running, called]);
  let backs = 0;
  work.end = () => Promise.reject(new Error('no'));
  work.back = async () => void backs++;
  watch.start();
  await pass(10_000);
  expect(seen.warned).toEqual([expect.objectContaining({ agent: running.id })]);
  expect(backs).toBeGreaterThan(5);
  work.end = async () => false;
  await pass(3000);
  work.end = () => Promise.reject(new Error('again'));
  await pass(10_000);
  expect(seen.warned).toHaveLength(2);
});

test('rule 55: a start that failed for a full disk is tried again ever more seldom, and at once after one that went well', async () => {
  const { work, watch, pass, publish } = openWatch([called]);
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  let tries = 0;
  work.back = async () => {
    tries++;
    throw new Error('it could not be started', { cause: full });
  };
  watch.start();
  // Each end of such a life is news.
  for (let second = 0; second < 60; second++) {
    publish(1);
    await pass(1000);
  }
  expect(tries).toBeLessThan(9);
  expect(tries).toBeGreaterThan(4);
  for (let second = 0; second < 60; second++) await pass(1000);
  const before = tries;
  work.back = async () => void tries++;
  await pass(62_000);
  expect(tries).toBeGreaterThan(before + 1);
});
