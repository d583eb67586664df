import type { Clock } from '../../shared/clock.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import { Turns } from '../../shared/turns.ts';
import type { WriteOptions } from '../ledger.ts';
import type { Database, Statement } from './database.ts';
import { extendLog } from './extend-log.ts';
import { isBusy, toFault, tooBusy } from './faults.ts';
import { openDatabase } from './open-database.ts';
import { WaitFile } from './wait-file.ts';
import { type Wish, WriteQueue } from './write-queue.ts';

export interface ConnectionOptions {
  readonly clock: Clock;
  /** Longest wait for other writers before `ledger-busy`. */
  readonly lockWaitMs: number;
  /** It stays open for long and writes often: worth some milliseconds at its start. */
  readonly isLongLived?: boolean;
  /** For comparison in the bench alone: let SQLite's own busy handler wait. */
  readonly busyHandler?: boolean;
}

/**
 * One connection to one ledger file, used by one flow at a time.
 *
 * Waiting for other processes is done here and not by SQLite's busy handler, which sleeps up to 100
 * ms and is unfair: with eight tight writers it left one of them waiting for seconds (measured: 2.8
 * to 8 s). A writer that finds the lock taken tries again after a random 1 or 2 ms, and the others
 * let it in (wait-file.ts). The wait is a timer, so the process goes on with its other work.
 */
export class Connection {
  readonly path: string;
  readonly #db: Database;
  readonly #options: ConnectionOptions;
  readonly #statements = new Map<string, Statement>();
  readonly #waitFile: WaitFile;
  readonly #turns = new Turns();
  readonly #wishes = new WriteQueue();
  #hasTurn = false;

  constructor(path: string, options: ConnectionOptions) {
    this.path = path;
    this.#options = options;
    this.#waitFile = new WaitFile(`${path}-wait`, options.clock);
    try {
      this.#db = openDatabase(path, options.busyHandler ? options.lockWaitMs : 0);
    } catch (error) {
      throw toFault(error, path);
    }
  }

  /** Pragmas and the schema's own statements; for everything else use a transaction. */
  async configure(): Promise<void> {
    await this.#retry(async () => {
      this.#db.pragma('synchronous = full');
      this.#db.pragma('foreign_keys = on');
      // 8 MiB. The upper levels of every index of a million messages stay in memory.
      this.#db.pragma(`cache_size = ${cacheSize}`);
      // 16 MiB of log between checkpoints instead of 4: most of those pages are the same few,
      // written again and again, and a checkpoint writes each once. Worth a fifth of the durable
      // sends per second.
      this.#db.pragma(`wal_autocheckpoint = ${logPages}`);
      this.#db.pragma('journal_size_limit = 33554432');
      // What is deleted is overwritten, also in pages that become free.
      this.#db.pragma('secure_delete = on');
    });
    this.#waitFile.ignoreEarlier();
    this.extendLog();
  }

  /** For a process that stays and writes often, also once its log is emptied. In no transaction. */
  extendLog(): void {
    if (this.#options.isLongLived) extendLog(this.#db, this.path, { pages: logPages, cacheSize });
  }

  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  execute(sql: string): void {
    this.#db.exec(sql);
  }

  pragma(text: string): unknown {
    return this.#db.pragma(text, { simple: true });
  }

  /** Several rows, where `pragma` gives the first value alone. */
  pragmaRows(text: string): readonly unknown[] {
    return this.#db.pragma(text) as unknown[];
  }

  read<T>(work: () => Promise<T>): Promise<T> {
    // Repeated whole when SQLite is busy with a recovery: a read may be repeated, and its lock is
    // taken by its first select.
    return this.#turns.take(() => this.#retry(() => this.#transact('begin', work)));
  }

  /** Outside of any transaction; nothing else of this process is under way meanwhile. */
  alone<T>(work: () => T): Promise<T> {
    return this.#turns.take(async () => {
      try {
        return work();
      } catch (error) {
        throw toFault(error, this.path);
      }
    });
  }

  /**
   * What is asked for at the same moment, or while another write is under way, shares one commit,
   * and so one fsync: fifty senders, or fifty agents that are woken at once, cost a few. Each has a
   * savepoint of its own, and one that throws undoes itself alone.
   */
  write<T>(work: () => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { waitMs = this.#options.lockWaitMs, haste = 'plain' } = options;
    const askedAtMs = this.#options.clock.monotonicMs();
    return new Promise<T>((resolve, reject) => {
      const wish = { work, waitMs, resolve: resolve as Wish['resolve'], reject };
      this.#wishes.add(wish, haste, askedAtMs);
      if (!this.#hasTurn) this.#takeTurn(haste);
    });
  }

  #takeTurn(haste: WriteOptions['haste']): void {
    this.#hasTurn = true;
    const write = (): void => void this.#turns.take(() => this.#writeNext());
    // What is to be carried has been read in this turn of the loop, and whoever else was read comes
    // along: reads go first.
    if (haste === 'first') write();
    // A commit stops the event loop: what has already arrived comes along.
    else setImmediate(write);
  }

  async #writeNext(): Promise<void> {
    await this.#waitFile.letOthersIn();
    const batch = this.#wishes.takeAlike();
    this.#hasTurn = false;
    if (!this.#wishes.isEmpty) this.#takeTurn('plain');
    await this.#writeTogether(batch);
  }

  async #writeTogether(batch: Batch): Promise<void> {
    let answers: readonly (() => void)[] = [];
    const work = async (): Promise<void> => {
      answers = batch.length === 1 ? await this.#runAlone(batch) : await this.#runEach(batch);
      await reachFailPoint('ledger.uncommitted');
    };
    try {
      await this.#transact('begin immediate', work, batch[0]?.waitMs);
      await reachFailPoint('ledger.committed');
      if (!this.#options.busyHandler) this.#waitFile.noticeWaiters();
      this.#putBack(batch.slice(answers.length));
    } catch (error) {
      // Nothing of it is on disk.
      answers = batch.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
    for (const answer of answers) answer();
  }

  #putBack(rest: Batch): void {
    if (rest.length === 0) return;
    this.#wishes.putBack(rest);
    if (!this.#hasTurn) this.#takeTurn('plain');
  }

  async #runAlone(batch: Batch): Promise<readonly (() => void)[]> {
    const answers: (() => void)[] = [];
    for (const { work, resolve } of batch) {
      const done = await work();
      answers.push(() => resolve(done));
    }
    return answers;
  }

  async #runEach(batch: Batch): Promise<readonly (() => void)[]> {
    const answers: (() => void)[] = [];
    const end = this.#options.clock.monotonicMs() + longestMs;
    for (const { work, resolve, reject } of batch) {
      if (answers.length > 0 && this.#options.clock.monotonicMs() >= end) break;
      this.statement('savepoint one').run();
      try {
        const done = await work();
        answers.push(() => resolve(done));
      } catch (error) {
        // A full disk or a broken one undoes everything by itself, and then nothing of the batch is
        // left.
        if (!this.#db.inTransaction) throw error;
        this.statement('rollback to one').run();
        const fault = toFault(error, this.path);
        answers.push(() => reject(fault));
      }
      this.statement('release one').run();
    }
    return answers;
  }

  close(): void {
    try {
      this.#db.close();
    } catch (error) {
      throw toFault(error, this.path);
    }
  }

  async #transact<T>(begin: string, work: () => Promise<T>, waitMs?: number): Promise<T> {
    try {
      await this.#retry(async () => this.statement(begin).run(), waitMs);
      const result = await work();
      await this.#retry(async () => this.statement('commit').run());
      return result;
    } catch (error) {
      if (this.#db.inTransaction) this.#rollBack();
      throw toFault(error, this.path);
    }
  }

  #rollBack(): void {
    try {
      this.#db.exec('rollback');
    } catch {
      // SQLite has rolled back by itself (disk full, I/O error); the first error is the one to
      // tell.
    }
  }

  async #retry<T>(step: () => Promise<T>, lockWaitMs = this.#options.lockWaitMs): Promise<T> {
    const { clock, busyHandler } = this.#options;
    const startedAtMs = clock.monotonicMs();
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (busyHandler || !isBusy(error)) throw error;
        if (clock.monotonicMs() - startedAtMs >= lockWaitMs) throw tooBusy(this.path, lockWaitMs);
        this.#waitFile.touch();
        await clock.sleep(Math.random() < 0.5 ? 1 : 2);
      }
    }
  }
}

const cacheSize = -8192;
/** Between checkpoints. */
const logPages = 4096;

/** Of one commit, so that no reader waits long: bodies are of any size. */
const longestMs = 20;

type Batch = ReturnType<WriteQueue['takeAlike']>;
