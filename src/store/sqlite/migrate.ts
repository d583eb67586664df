import { readFileSync } from 'node:fs';
import { createUser } from '../../agents/agent.ts';
import { Fault } from '../../shared/fault.ts';
import { createId } from '../../shared/ids.ts';
import { SqliteAgentStore } from './agent-store.ts';
import type { Connection } from './connection.ts';

/**
 * "SBOX": stands in the header of every ledger, so that no other program's database is taken for
 * one.
 */
export const applicationId = 0x53424f58;

/** Append-only. The schema's version is the number of files that have run, whatever theirs are. */
const migrations = [
  '0001-ledger.sql',
  '0002-epochs.sql',
  '0003-delivery.sql',
  '0004-open-ends.sql',
  '0005-team.sql',
  '0006-parts.sql',
  '0007-handed-parts.sql',
  '0008-user-and-scripts.sql',
  '0009-turn-ends.sql',
  '0010-still-owed.sql',
  '0011-reports.sql',
  '0012-lines.sql',
  '0013-retention.sql',
  '0014-umask.sql',
  '0015-tools-port.sql',
  '0016-causes.sql',
  '0017-turn-outcomes.sql',
  '0018-standing.sql',
  '0019-short-ids.sql',
  '0020-conversation-since.sql',
  '0021-names-in-sessions.sql',
  '0022-workers-end.sql',
  '0023-answers.sql',
  '0024-interruptions.sql',
  '0025-changes.sql',
];
export const schemaVersion = migrations.length;

/** Makes a new, empty ledger in a file that nobody else knows yet. */
export async function setUp(db: Connection, now: number): Promise<void> {
  // Before anything is written: later it takes a whole rewrite of the file (`space.ts`).
  db.pragma('auto_vacuum = incremental');
  db.pragma('journal_mode = wal');
  db.pragma('synchronous = full');
  await db.write(async () => {
    db.pragma(`application_id = ${applicationId}`);
    runMigrations(db, 0);
    db.statement(insertMeta).run('ledger_id', createId('ldg', now));
    await new SqliteAgentStore(db).insert(createUser(now));
  });
  db.pragma('wal_checkpoint(truncate)');
}

/**
 * Brings an existing ledger up to this version, safely when several processes open it at once;
 * returns its id.
 */
export async function migrate(db: Connection): Promise<string> {
  const version = await db.read(async () => readSchemaVersion(db));
  refuseNewer(db.path, version);
  if (version < schemaVersion) {
    await db.write(async () => {
      // Another process may have been quicker while we waited for the lock.
      const current = readSchemaVersion(db);
      refuseNewer(db.path, current);
      runMigrations(db, current);
    });
  }
  return readLedgerId(db);
}

/** Throws where it would have to be migrated first; returns its id. */
export async function requireCurrent(db: Connection): Promise<string> {
  const version = await db.read(async () => readSchemaVersion(db));
  refuseNewer(db.path, version);
  if (version === schemaVersion) return readLedgerId(db);
  throw new Fault(
    'wrong-state',
    `The ledger ${db.path} has schema ${version}, and this signalbox ${schemaVersion}.`,
    'Run `signalbox ls`, which brings it up to date.',
  );
}

function readLedgerId(db: Connection): Promise<string> {
  return db.read(
    async () => (db.statement(selectMeta).get('ledger_id') as { value: string }).value,
  );
}

function readSchemaVersion(db: Connection): number {
  return Number(db.pragma('user_version'));
}

function runMigrations(db: Connection, from: number): void {
  for (const file of migrations.slice(from)) {
    db.execute(readFileSync(new URL(`./migrations/${file}`, import.meta.url), 'utf8'));
  }
  db.pragma(`user_version = ${schemaVersion}`);
}

export function refuseNewer(path: string, version: number): void {
  if (version <= schemaVersion) return;
  throw new Fault(
    'ledger-newer',
    `The ledger ${path} has schema ${version}; this signalbox knows ${schemaVersion}. It was left as it is.`,
    'Use the newer signalbox that wrote it, or set SIGNALBOX_HOME to another folder.',
  );
}

const insertMeta = 'insert into meta (name, value) values (?, ?)';
const selectMeta = 'select value from meta where name = ?';
