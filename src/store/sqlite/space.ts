import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { reachFailPoint } from '../../shared/fail-point.ts';
import type { LedgerSpace, Rebuilt, WriteOptions } from '../ledger.ts';
import type { Connection } from './connection.ts';
import { isBusy } from './faults.ts';

/** Pages of one step; 128 took 14 ms with their commit on a loaded machine. */
const step = 64;
/**
 * Free pages that stay for what comes next, so that the file does not shrink and grow in turns: 1
 * MiB, or a part of it.
 */
const sparePages = 256;
const sparePart = 1 / 16;
const pageBytes = 4096;
const spareBytes = 64 * 1024 * 1024;

/**
 * The file of a ledger on its disk. Pruned rows leave free pages, which `incremental_vacuum` moves
 * to the end of the file and cuts off; the disk has them back with the next checkpoint. A file of a
 * version before schema 13 knows no way to do that: `rebuild` writes it anew. That is one
 * transaction like any other: nothing of it counts if the process dies or the disk is full, readers
 * go on, and writers of other processes wait for it.
 */
export class SqliteSpace implements LedgerSpace {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  async giveBack(options?: WriteOptions): Promise<boolean> {
    return this.#db.write(async () => {
      const surplus = this.#countSurplus();
      // All rows of it: each step of the statement frees one page.
      if (surplus > 0) this.#db.pragmaRows(`incremental_vacuum(${Math.min(surplus, step)})`);
      await reachFailPoint('space.uncommitted');
      return surplus > step;
    }, options);
  }

  async checkpoint(): Promise<void> {
    await this.#db.alone(() => this.#db.pragmaRows('wal_checkpoint(passive)'));
  }

  async emptyLog(): Promise<boolean> {
    return this.#db.alone(() => {
      try {
        const [row] = this.#db.pragmaRows('wal_checkpoint(truncate)') as { busy: number }[];
        if (row?.busy !== 0) return false;
        // Else the commits of the next 16 MiB would be slower than those before.
        this.#db.extendLog();
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        throw error;
      }
    });
  }

  async rebuild(maxBytes: number): Promise<Rebuilt> {
    return this.#db.alone(() => {
      if (this.#canShrink()) return 'not-needed';
      const used = this.#countUsed() * pageBytes;
      if (used > maxBytes) return 'too-large';
      if (!hasRoom(this.#db.path, used)) return 'no-room';
      try {
        // Else a second copy of every body would lie in a temporary folder for a moment.
        this.#db.pragma('temp_store = memory');
        this.#db.pragma('auto_vacuum = incremental');
        this.#db.execute('vacuum');
        this.#db.pragmaRows('wal_checkpoint(truncate)');
        this.#db.extendLog();
        return 'rebuilt';
      } catch (error) {
        if (isBusy(error)) return 'busy';
        throw error;
      } finally {
        this.#db.pragma('temp_store = default');
      }
    });
  }

  #canShrink(): boolean {
    return this.#db.pragma('auto_vacuum') === 2;
  }

  #countSurplus(): number {
    if (!this.#canShrink()) return 0;
    const free = Number(this.#db.pragma('freelist_count'));
    const all = Number(this.#db.pragma('page_count'));
    return free - Math.max(sparePages, Math.floor(all * sparePart));
  }

  #countUsed(): number {
    return Number(this.#db.pragma('page_count')) - Number(this.#db.pragma('freelist_count'));
  }
}

/** It goes into the log first, and then into the file. */
function hasRoom(path: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize >= 2 * bytes + spareBytes;
  } catch {
    // Room that cannot be asked for is not taken.
    return false;
  }
}
