import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { tempHome } from '../../test/support/home.ts';
import { Fault } from '../shared/fault.ts';
import { systemHost } from '../shared/processes.ts';
import type { Ledger } from '../store/ledger.ts';
import { MemoryLedger } from '../store/memory/ledger.ts';
import { add } from './add.ts';
import { remove } from './remove.ts';
import { Retention } from './retention.ts';

const full = new Fault('ledger-unwritable', 'The disk is full.', 'Free some space.');
const busy = new Fault('ledger-busy', 'Others write.', 'Try again.');

test('a fault is told once, tried again after 10 minutes, and its end is told too', async () => {
  const { clock, said, fail, rounds } = open();
  fail(full);
  await pass(clock, 5000);
  expect(said).toEqual(['what is past the retention could not be removed; it is tried again']);
  await pass(clock, 599_000);
  expect(rounds()).toBe(1);
  await pass(clock, 1000);
  expect([rounds(), said.length]).toEqual([2, 1]);
  fail(undefined);
  await pass(clock, 600_000);
  expect(said.slice(1)).toEqual(['what is past the retention is removed again']);
  // All is well: the next one comes in an hour.
  const before = rounds();
  await pass(clock, 3_599_000);
  expect(rounds()).toBe(before);
  await pass(clock, 1000);
  expect(rounds()).toBeGreaterThan(before);
});

test('a ledger that others keep locked is no fault: nothing is told, and the round goes on soon', async () => {
  const { clock, said, fail, rounds } = open();
  fail(busy);
  await pass(clock, 5000);
  await pass(clock, 999);
  expect(rounds()).toBe(1);
  await pass(clock, 1);
  expect(rounds()).toBe(2);
  fail(undefined);
  await pass(clock, 1000);
  expect(rounds()).toBeGreaterThan(3);
  expect(said).toEqual([]);
});

test('a step that found the ledger locked is done again alone: messages that were looked at are not looked at again', async () => {
  const { clock, fail, steps, inner } = open();
  const draft = { session: 'default', notify: true, cwd: '', name: 'gone' };
  const gone = await add(inner, clock, draft);
  await remove(inner, { clock, host: systemHost }, gone.id, true);
  // Lives, answers and interruptions are pruned before it, and the list of agents and their
  // messages looked at.
  fail(busy, 5);
  await pass(clock, 5000);
  const looked = ['write', 'write', 'write', 'write', 'read', 'read', 'write'];
  expect(steps).toEqual(looked);
  await pass(clock, 1000);
  expect(steps).toEqual([...looked, 'write']);
  fail(undefined);
  await pass(clock, 1000);
  expect(await inner.read((tx) => tx.agents.find(gone.id))).toBeUndefined();
  expect(steps.filter((step) => step === 'read')).toHaveLength(2);
});

test('what was deleted is taken out of the log, too, of whichever table it was', async () => {
  const { clock, said, emptied, inner } = open();
  await inner.write((tx) =>
    tx.answers.insert({
      ...{ id: 'ans_1', agent: 'agt_1', epoch: 1, question: 'q', asks: 'command', text: 'make' },
      ...{ decision: 'allow', outcome: 'taken', by: 'agt_user', place: 'terminal', at: 1 },
    }),
  );
  await pass(clock, 5000);
  expect(await inner.read((tx) => tx.answers.list('agt_1', 9))).toEqual([]);
  expect([emptied(), said]).toEqual([1, ['what was past the retention is gone']]);
  // Nothing more is due.
  await pass(clock, 3_600_000);
  expect(emptied()).toBe(1);
});

test('a folder that cannot be listed is told, and stops nothing else', async () => {
  const home = tempHome();
  // A link to itself: neither there nor missing.
  symlinkSync('snapshots', join(home, 'snapshots'));
  const { clock, said, rounds } = open(home);
  await pass(clock, 5000);
  expect(said).toEqual(['what is past the retention could not be removed; it is tried again']);
  expect(rounds()).toBeGreaterThan(1);
});

test('nothing is done before the first round, and nothing after its end', async () => {
  const { clock, retention, rounds } = open();
  await pass(clock, 4999);
  await retention.close();
  await clock.pass(10_000_000);
  expect(rounds()).toBe(0);
});

/** Rounds are counted by their writes: with a fault there is one of each. */
function open(home = tempHome()) {
  const clock = new WatchedClock();
  const inner = new MemoryLedger();
  const said: string[] = [];
  const steps: string[] = [];
  let fault: Fault | undefined;
  let from = 0;
  let writes = 0;
  let emptied = 0;
  const ledger: Ledger = {
    id: inner.id,
    space: {
      giveBack: (options) => inner.space.giveBack(options),
      checkpoint: () => inner.space.checkpoint(),
      rebuild: (mostBytes) => inner.space.rebuild(mostBytes),
      emptyLog: () => {
        emptied++;
        return inner.space.emptyLog();
      },
    },
    read: (work) => {
      steps.push('read');
      return inner.read(work);
    },
    write: async (work) => {
      writes++;
      steps.push('write');
      if (fault && writes >= from) throw fault;
      return inner.write(work);
    },
    inspect: () => inner.inspect(),
    close: () => inner.close(),
  };
  const tell = (_: object, text: string): void => void said.push(text);
  const retention = new Retention({
    ...{ ledger, clock, retentionMs: 1000 },
    log: { info: tell, warn: tell, error: tell },
    folders: {
      snapshots: join(home, 'snapshots'),
      logs: join(home, 'logs'),
      run: join(home, 'run'),
    },
  });
  retention.start();
  onTestFinished(() => retention.close());
  /** From the write of that number on. */
  const fail = (next: Fault | undefined, first = 0): void => {
    fault = next;
    from = first;
  };
  return {
    clock,
    said,
    fail,
    retention,
    steps,
    inner,
    rounds: () => writes,
    emptied: () => emptied,
  };
}

/** Until it sleeps again: a round looks at files of the disk. */
async function pass(clock: WatchedClock, ms: number): Promise<void> {
  await clock.pass(ms);
  while (clock.sleepers === 0) await new Promise((done) => setImmediate(done));
}

class WatchedClock extends ManualClock {
  sleepers = 0;

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleepers++;
    try {
      await super.sleep(ms, signal);
    } finally {
      this.sleepers--;
    }
  }
}
