import { closeSync, openSync } from 'node:fs';
import type { Clock } from '../../shared/clock.ts';
import { Connection } from './connection.ts';

/** Held until `release`, or until the process is gone, however it went. */
export interface FileLock {
  release(): void;
}

/**
 * The lock on a file, for one process on the machine; undefined when another has it. Node has no
 * file locks of its own, and a file that names its owner must be judged (is that pid still the same
 * process?) and taken over, which two can do at once. SQLite's lock is the kernel's: it cannot be
 * stale, and no child inherits it. The file stays empty and is never deleted.
 */
export function takeFileLock(path: string, clock: Clock): FileLock | undefined {
  closeSync(openSync(path, 'a', 0o600));
  const connection = new Connection(path, { clock, lockWaitMs: 0 });
  try {
    // Nothing is ever written, so nothing need be rolled back: no journal beside it.
    connection.pragma('journal_mode = memory');
    // Of several writers at once exactly one gets this lock; `begin exclusive` may refuse them all.
    connection.execute('begin immediate');
  } catch (error) {
    connection.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return { release: () => connection.close() };
}
