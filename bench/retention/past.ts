import { statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/shared/clock.ts';
import { Connection } from '../../src/store/sqlite/connection.ts';
import { fill } from '../ledger/fill.ts';
import { lockWaitMs, openBenchLedger } from '../ledger/open.ts';

/** More than the retention, with the 13 days that `fill` makes. */
const agedMs = 30 * 86_400_000;
/** One of so many has a body of 60 KB; the others have 500 bytes. */
export const longEvery = 50;

/** A ledger with `count` settled messages in it, all of them past the retention or none. */
export async function leavePast(home: string, count: number, isOverdue: boolean): Promise<void> {
  const path = join(home, 'ledger.db');
  const { ledger, recipient } = await openBenchLedger(path);
  await ledger.close();
  fill(path, recipient, count);
  within(path, (db) => {
    db.pragma('synchronous = off');
    db.statement(insertBodies).run({ longEvery });
    for (const sql of isOverdue ? age : []) db.statement(sql).run({ ms: agedMs });
    // On disk before anything is measured.
    db.pragma('wal_checkpoint(truncate)');
  });
}

/** How many of those `count` messages there are; what was sent since comes behind them. */
export function countPast(home: string, count: number): number {
  return within(join(home, 'ledger.db'), (db) => {
    const row = db.statement('select count(*) as n from messages where seq <= ?').get(count);
    return (row as { n: number }).n;
  });
}

/** When somebody pruned here last; 0 for never. */
export function readPrunedAt(home: string): number {
  return within(join(home, 'ledger.db'), (db) => {
    const row = db.statement(`select value from meta where name = 'pruned_at'`).get();
    return Number((row as { value: string } | undefined)?.value ?? 0);
  });
}

/** Of the file alone; its log has 32 MiB at most. */
export function measureBytes(home: string): number {
  return statSync(join(home, 'ledger.db')).size;
}

function within<T>(path: string, work: (db: Connection) => T): T {
  const db = new Connection(path, { clock: systemClock, lockWaitMs });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const insertBodies = `
  insert into bodies (message, body)
  select seq, printf('%.*c', 60000, 'x') from messages where seq % @longEvery = 0`;
const age = [
  'update messages set created_at = created_at - @ms, settled_at = settled_at - @ms',
  'update claims set at = at - @ms, ended_at = ended_at - @ms',
  'update history set at = at - @ms',
];
