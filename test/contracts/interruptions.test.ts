import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Interruption } from '../../src/agents/interruption.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { FakeClock } from '../fakes/clock.ts';
import { engines } from './engines.ts';

const one: Interruption = {
  ...{ id: 'itr_1', agent: 'agt_1', epoch: 2, outcome: 'pressing', presses: 0 },
  ...{ by: 'agt_user', who: 'ada at /dev/pts/3', place: 'terminal', at: 10 },
  messages: ['msg_1', 'msg_22'],
};

describe.each(engines)('interruptions in $name', ({ open }) => {
  let ledger: Ledger;
  let dispose: () => Promise<void>;
  beforeEach(async () => {
    ({ ledger, dispose } = await open(new FakeClock()));
  });
  afterEach(() => dispose());

  const insert = (...all: readonly Interruption[]) =>
    ledger.write(async (tx) => {
      for (const each of all) await tx.interruptions.insert(each);
    });
  const list = (limit = 10) => ledger.read((tx) => tx.interruptions.list('agt_1', limit));
  const listOf = (message: string) =>
    ledger.read((tx) => tx.interruptions.listOf('agt_1', message));

  test('rule 54: one is kept as it was asked for, and settled once', async () => {
    await insert(one);
    expect(await list()).toEqual([one]);
    const end = { outcome: 'ended', way: 'keys', presses: 2, at: 12 } as const;
    expect(await ledger.write((tx) => tx.interruptions.settle('itr_1', end))).toBe(true);
    const again = { outcome: 'refused', reason: 'late', presses: 0, at: 13 } as const;
    expect(await ledger.write((tx) => tx.interruptions.settle('itr_1', again))).toBe(false);
    expect(await ledger.write((tx) => tx.interruptions.settle('itr_2', end))).toBe(false);
    const settled = { outcome: 'ended', way: 'keys', presses: 2, settledAt: 12 } as const;
    expect(await list()).toEqual([{ ...one, ...settled }]);
  });

  test('what a daemon left under way is settled by the next one, and nothing else', async () => {
    const { who: _, ...done } = { ...one, id: 'itr_2', outcome: 'ended' as const };
    await insert(one, done, { ...one, id: 'itr_3', agent: 'agt_2' });
    const end = { outcome: 'unknown', reason: 'the daemon died', presses: 0, at: 20 } as const;
    expect(await ledger.write((tx) => tx.interruptions.settleAll(end))).toBe(2);
    expect(await ledger.write((tx) => tx.interruptions.settleAll(end))).toBe(0);
    const made = { outcome: 'unknown', reason: 'the daemon died', settledAt: 20 } as const;
    expect(await list()).toEqual([done, { ...one, ...made }]);
  });

  test('those of one agent come newest first, and so many', async () => {
    const at = (n: number): Interruption => ({ ...one, id: `itr_${n}`, at: n });
    await insert(at(1), at(3), at(2), { ...at(4), agent: 'agt_2' });
    expect((await list(2)).map(({ id }) => id)).toEqual(['itr_3', 'itr_2']);
  });

  test('those of one message are found by its whole id, the oldest first', async () => {
    const none = { ...one, id: 'itr_4', messages: [] };
    await insert(one, { ...one, id: 'itr_2', at: 5, messages: ['msg_22'] }, none);
    expect((await listOf('msg_22')).map(({ id }) => id)).toEqual(['itr_2', 'itr_1']);
    expect((await listOf('msg_1')).map(({ id }) => id)).toEqual(['itr_1']);
    expect(await listOf('msg_2')).toEqual([]);
    expect(await list()).toHaveLength(3);
  });

  test('old ones go, the oldest first, and one that is under way stays', async () => {
    const done = (n: number): Interruption => ({ ...one, id: `itr_${n}`, at: n, outcome: 'ended' });
    await insert(done(1), done(2), { ...one, id: 'itr_3', at: 3 }, done(4));
    expect(await ledger.write((tx) => tx.interruptions.prune(4, 1))).toBe(1);
    expect(await ledger.write((tx) => tx.interruptions.prune(4, 10))).toBe(1);
    expect((await list()).map(({ id }) => id)).toEqual(['itr_4', 'itr_3']);
  });
});
