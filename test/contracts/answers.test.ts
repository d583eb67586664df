import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../src/agents/answer.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { FakeClock } from '../fakes/clock.ts';
import { engines } from './engines.ts';

const answer: Answer = {
  ...{ id: 'ans_1', agent: 'agt_1', epoch: 2, question: 'qabcdef', asks: 'command' },
  ...{ text: 'tool: Bash\ncommand: make', decision: 'allow', outcome: 'deciding' },
  ...{ by: 'agt_user', who: 'ada at /dev/pts/3', place: 'terminal', at: 10 },
};

describe.each(engines)('answers in $name', ({ open }) => {
  let ledger: Ledger;
  let dispose: () => Promise<void>;
  beforeEach(async () => {
    ({ ledger, dispose } = await open(new FakeClock()));
  });
  afterEach(() => dispose());

  const insert = (...answers: readonly Answer[]) =>
    ledger.write(async (tx) => {
      for (const each of answers) await tx.answers.insert(each);
    });
  const list = (limit = 10) => ledger.read((tx) => tx.answers.list('agt_1', limit));

  test('rule 54: one is kept as it was made, and settled once', async () => {
    await insert(answer);
    expect(await list()).toEqual([answer]);
    const end = { outcome: 'taken', at: 12 } as const;
    expect(await ledger.write((tx) => tx.answers.settle('ans_1', end))).toBe(true);
    const again = { outcome: 'refused', reason: 'late', at: 13 } as const;
    expect(await ledger.write((tx) => tx.answers.settle('ans_1', again))).toBe(false);
    expect(await ledger.write((tx) => tx.answers.settle('ans_2', end))).toBe(false);
    expect(await list()).toEqual([{ ...answer, outcome: 'taken', settledAt: 12 }]);
  });

  test('what a daemon left undecided is settled by the next one, and nothing else', async () => {
    const { who: _, ...settled } = { ...answer, id: 'ans_2', outcome: 'gone' as const };
    await insert(answer, settled, { ...answer, id: 'ans_3', agent: 'agt_2' });
    const end = { outcome: 'unknown', reason: 'the daemon died', at: 20 } as const;
    expect(await ledger.write((tx) => tx.answers.settleAll(end))).toBe(2);
    expect(await ledger.write((tx) => tx.answers.settleAll(end))).toBe(0);
    const made = { outcome: 'unknown', reason: 'the daemon died', settledAt: 20 };
    expect(await list()).toEqual([settled, { ...answer, ...made }]);
  });

  test('those of one agent come newest first, and so many', async () => {
    const at = (n: number): Answer => ({ ...answer, id: `ans_${n}`, at: n });
    await insert(at(1), at(3), at(2), { ...at(4), agent: 'agt_2' });
    expect((await list(2)).map(({ id }) => id)).toEqual(['ans_3', 'ans_2']);
  });

  test('old ones go, the oldest first, and one that is under way stays', async () => {
    const done = (n: number): Answer => ({ ...answer, id: `ans_${n}`, at: n, outcome: 'taken' });
    await insert(done(1), done(2), { ...answer, id: 'ans_3', at: 3 }, done(4));
    expect(await ledger.write((tx) => tx.answers.prune(4, 1))).toBe(1);
    expect(await ledger.write((tx) => tx.answers.prune(4, 10))).toBe(1);
    expect((await list()).map(({ id }) => id)).toEqual(['ans_4', 'ans_3']);
  });

  test('a transaction that fails leaves none', async () => {
    const failing = ledger.write(async (tx) => {
      await tx.answers.insert(answer);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await list()).toEqual([]);
  });
});
