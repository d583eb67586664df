import Sqlite from 'better-sqlite3';
import type { Database } from './database.ts';
import { toFault } from './faults.ts';
import { findBinary } from './find-binary.ts';
import { findNodeSqlite, openWithNode } from './node-sqlite.ts';

/**
 * Opens an existing file by better-sqlite3; where that is missing, or was compiled for another
 * Node, by the SQLite of Node itself, if it is new enough (decision 22). `timeoutMs` is how long
 * SQLite's own busy handler waits.
 */
export function openDatabase(path: string, timeoutMs: number): Database {
  try {
    return new Sqlite(path, {
      nativeBinding: findBinary(),
      fileMustExist: true,
      timeout: timeoutMs,
    });
  } catch (error) {
    const node = isUnusable(error) ? findNodeSqlite() : undefined;
    if (!node) throw error;
    return openWithNode(node, path, timeoutMs);
  }
}

/** Throws where no database can be had at all: the module is missing, or of another Node. */
export function requireEngine(): void {
  if (findNodeSqlite()) return;
  try {
    new Sqlite(':memory:', { nativeBinding: findBinary() }).close();
  } catch (error) {
    throw toFault(error, ':memory:');
  }
}

function isUnusable(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'sqlite-missing' || code === 'ERR_DLOPEN_FAILED';
}
