import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { Connection } from './connection.ts';
import { toFault } from './faults.ts';

let folder: string;
let db: Connection;
let nowMs: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sbx-connection-'));
  const path = join(folder, 'ledger.db');
  writeFileSync(path, '');
  nowMs = 0;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  db = new Connection(path, { clock, lockWaitMs: 1000 });
  db.execute('create table rows (value integer)');
});

afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

test('a log of full length from the start holds nothing that counts, and leaves the ledger as it is', async () => {
  db.pragma('journal_mode = wal');
  await db.write(insert(1));
  const { path } = db;
  const size = statSync(path).size;
  const daemon = new Connection(path, { clock: systemClock, lockWaitMs: 1000, isLongLived: true });
  try {
    await daemon.configure();
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(16_000_000);
    expect(statSync(path).size).toBe(size);
    expect(rows()).toEqual([1]);
    await db.write(insert(2));
    expect(daemon.statement('select value from rows order by rowid').all()).toEqual([
      { value: 1 },
      { value: 2 },
    ]);
    expect(daemon.pragma('integrity_check')).toBe('ok');
    expect(daemon.pragma('cache_size')).toBe(-8192);
  } finally {
    daemon.close();
  }
});

const insert = (value: number) => async () => {
  db.statement('insert into rows (value) values (?)').run(value);
  return value;
};
const rows = (): readonly unknown[] =>
  db
    .statement('select value from rows order by rowid')
    .all()
    .map((row) => (row as { value: unknown }).value);
const countCommits = () => vi.spyOn(db.statement('commit'), 'run');

test('what is written at the same moment shares one commit, and each has its own answer', async () => {
  const commits = countCommits();
  const done = await Promise.all([1, 2, 3].map((value) => db.write(insert(value))));
  expect(done).toEqual([1, 2, 3]);
  expect(rows()).toEqual([1, 2, 3]);
  expect(commits).toHaveBeenCalledTimes(1);
  await db.write(insert(4));
  expect(commits).toHaveBeenCalledTimes(2);
});

test('one that throws undoes itself alone', async () => {
  const bad = async (): Promise<number> => {
    await insert(2)();
    throw new Error('no');
  };
  const ends = await Promise.allSettled([insert(1), bad, insert(3)].map((work) => db.write(work)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(rows()).toEqual([1, 3]);
});

test('a commit that fails is the failure of each, and the next are tried anew', async () => {
  const commits = countCommits().mockImplementationOnce(() => {
    throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
  });
  const ends = await Promise.allSettled([1, 2].map((value) => db.write(insert(value))));
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(rows()).toEqual([]);
  expect(await db.write(insert(3))).toBe(3);
  expect(commits).toHaveBeenCalledTimes(2);
});

test('long ones do not keep the others waiting: the rest goes into the next commit, in order', async () => {
  const commits = countCommits();
  const long = (value: number) => async () => {
    nowMs += 15;
    return insert(value)();
  };
  await Promise.all([1, 2, 3, 4, 5].map((value) => db.write(long(value))));
  expect(rows()).toEqual([1, 2, 3, 4, 5]);
  expect(commits).toHaveBeenCalledTimes(3);
});

test('what stands before a reader goes first, notes of the done last, and none waits for ever', async () => {
  const write = (value: number, haste: 'first' | 'plain' | 'last') =>
    db.write(insert(value), { haste });
  const done = [write(7, 'last'), write(3, 'plain'), write(4, 'plain'), write(1, 'first')];
  nowMs += 10;
  done.push(write(2, 'first'), write(5, 'plain'));
  nowMs += 95;
  done.push(write(8, 'plain'), write(9, 'last'), write(6, 'first'));
  await Promise.all(done);
  expect(rows()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('what is to be carried begins in the same turn of the loop; the rest waits for what comes with it', async () => {
  const order: string[] = [];
  const turn = new Promise<void>((resolve) => {
    setImmediate(() => {
      order.push('the next turn');
      resolve();
    });
  });
  const first = db.write(insert(1), { haste: 'first' }).then(() => order.push('first'));
  await first;
  const plain = db.write(insert(2)).then(() => order.push('plain'));
  await Promise.all([turn, plain]);
  expect(order).toEqual(['first', 'the next turn', 'plain']);
});

test('a database module that this Node.js cannot load is no bug, and says what to do', () => {
  const error = Object.assign(new Error('compiled against'), { code: 'ERR_DLOPEN_FAILED' });
  expect(toFault(error, 'ledger.db')).toMatchObject({ code: 'wrong-node' });
});
