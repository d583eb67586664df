import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const pageBytes = 4096;
/** On a disk that is nearly full nothing is taken in advance. */
const spareBytes = 512 * 1024 * 1024;

/**
 * An fsync that makes a file longer takes twice as long as one of bytes that were there before (0.4
 * and 0.2 ms, ext4), and SQLite writes its log over and over once it has its full length. A
 * transaction that is too large for the cache, and undone, gives it that at once: its pages go to
 * the log, behind everything that counts, and nowhere else. Where somebody else is writing, or the
 * disk refuses, only time is lost.
 */
export function extendLog(
  db: RawDatabase,
  path: string,
  { pages, cacheSize }: { readonly pages: number; readonly cacheSize: number },
): void {
  const bytes = pages * pageBytes;
  const { size = 0 } = statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? {};
  if (size >= bytes || !hasRoom(path)) return;
  try {
    db.pragma('cache_size = 10');
    db.exec('begin immediate');
    db.exec(`create table filler (bytes); insert into filler values (zeroblob(${bytes}))`);
  } catch {
    // As it was.
  } finally {
    if (db.inTransaction) db.exec('rollback');
    db.pragma(`cache_size = ${cacheSize}`);
  }
}

interface RawDatabase {
  readonly inTransaction: boolean;
  pragma(text: string): unknown;
  exec(sql: string): unknown;
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize >= spareBytes;
  } catch {
    // Room that cannot be asked for is not taken.
    return false;
  }
}
