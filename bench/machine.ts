import { statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/shared/clock.ts';
import { Connection } from '../src/store/sqlite/connection.ts';

/**
 * What a reader must know to judge the numbers. No host name and no path: results are committed.
 */
export interface Machine {
  readonly at: string;
  readonly node: string;
  readonly sqlite: string;
  readonly cores: number;
  readonly fileSystem: string;
}

export function describeMachine(folder: string): Machine {
  return {
    at: new Date(systemClock.now()).toISOString(),
    node: process.versions.node,
    sqlite: readSqliteVersion(folder),
    cores: availableParallelism(),
    fileSystem: nameFileSystem(folder),
  };
}

function readSqliteVersion(folder: string): string {
  const path = join(folder, 'version.db');
  writeFileSync(path, '');
  const db = new Connection(path, { clock: systemClock, lockWaitMs: 0 });
  try {
    return (db.statement('select sqlite_version() as text').get() as { text: string }).text;
  } finally {
    db.close();
  }
}

/** Linux's magic numbers. On tmpfs an fsync costs nothing, and the floor means nothing. */
const fileSystems: Readonly<Record<number, string>> = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  801189825: 'zfs',
  2035054128: 'overlay',
  16914836: 'tmpfs',
};

function nameFileSystem(folder: string): string {
  const { type } = statfsSync(folder);
  return fileSystems[type] ?? `file system 0x${type.toString(16)}`;
}
