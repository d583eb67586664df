import { existsSync } from 'node:fs';
import type { Database, Statement } from './database.ts';

/**
 * SQLite before it can corrupt a ledger that several processes write: the WAL-reset bug, fixed in
 * this version (decision 2). Node 22.23 has exactly that, Node 24.21 and 26.10 have 3.53.4.
 */
const oldestSafe = [3, 51, 3];

/** Node's own SQLite, if there is one that can be trusted with a ledger. */
export function findNodeSqlite(
  version = process.versions['sqlite'],
  load: () => unknown = loadQuietly,
): NodeSqlite | undefined {
  if (version === undefined || !isSafe(version)) return undefined;
  return load() as NodeSqlite | undefined;
}

/** The same calls and the same error codes as of better-sqlite3. */
export function openWithNode(
  { DatabaseSync }: NodeSqlite,
  path: string,
  timeoutMs: number,
): Database {
  // It would make a file that is missing.
  if (!existsSync(path)) {
    throw Object.assign(new Error('unable to open database file'), { code: 'SQLITE_CANTOPEN' });
  }
  const db = named(() => new DatabaseSync(path, { timeout: timeoutMs }));
  const prepare = (sql: string): Statement => {
    const statement = named(() => db.prepare(sql));
    // As better-sqlite3 takes them: one set of values for several statements.
    statement.setAllowUnknownNamedParameters(true);
    return {
      run: (...parameters) => named(() => statement.run(...parameters)),
      get: (...parameters) => named(() => statement.get(...parameters)),
      all: (...parameters) => named(() => statement.all(...parameters)),
      iterate: (...parameters) => iterate(named(() => statement.iterate(...parameters))),
    };
  };
  return {
    get inTransaction() {
      return db.isTransaction;
    },
    prepare,
    exec: (sql) => named(() => db.exec(sql)),
    pragma: (text, { simple = false } = {}) => {
      const rows = prepare(`pragma ${text}`).all() as Record<string, unknown>[];
      return simple ? Object.values(rows[0] ?? {})[0] : rows;
    },
    close: () => named(() => db.close()),
  };
}

function* iterate(rows: Iterator<unknown> & Iterable<unknown>): Generator<unknown, undefined> {
  try {
    for (;;) {
      const next = named(() => rows.next());
      if (next.done) return undefined;
      yield next.value;
    }
  } finally {
    rows.return?.();
  }
}

/** Node's errors have numbers: all others are told by the names that better-sqlite3 gives them. */
function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errcode } = error as { errcode?: unknown };
    if (typeof errcode === 'number') Object.assign(error as Error, { code: nameCode(errcode) });
    throw error;
  }
}

function nameCode(code: number): string {
  return `SQLITE_${told[code] ?? told[code & 0xff] ?? `UNKNOWN_${code}`}`;
}

/** Those by which `faults.ts` and `file-lock.ts` decide; the low byte of a code is its kind. */
const told: Readonly<Record<number, string>> = {
  1: 'ERROR',
  3: 'PERM',
  5: 'BUSY',
  6: 'LOCKED',
  8: 'READONLY',
  10: 'IOERR',
  11: 'CORRUPT',
  13: 'FULL',
  14: 'CANTOPEN',
  15: 'PROTOCOL',
  17: 'SCHEMA',
  18: 'TOOBIG',
  19: 'CONSTRAINT',
  20: 'MISMATCH',
  21: 'MISUSE',
  25: 'RANGE',
  26: 'NOTADB',
  1034: 'IOERR_FSYNC',
  1290: 'IOERR_DIR_FSYNC',
};

function isSafe(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, least] of oldestSafe.entries()) {
    const part = parts[i] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** Node 22 warns at the first load that it is experimental: nobody at a command can act on that. */
function loadQuietly(): unknown {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule?.('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Of `node:sqlite`, which the types of Node 20 do not know. */
export interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly timeout: number }) => NodeDatabase;
}

interface NodeDatabase {
  readonly isTransaction: boolean;
  prepare(sql: string): Statement & { setAllowUnknownNamedParameters(isAllowed: boolean): void };
  exec(sql: string): void;
  close(): void;
}
