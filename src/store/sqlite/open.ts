import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../shared/fault.ts';
import { createId } from '../../shared/ids.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { howToReplace, toFault } from './faults.ts';
import { SqliteLedger } from './ledger.ts';
import { applicationId, migrate, refuseNewer, requireCurrent, setUp } from './migrate.ts';

/**
 * SQLite's unix layer takes 512 bytes: the path, what the draft of a new ledger adds to it (35),
 * and `-journal` (8).
 */
const maxPathBytes = 469;
const magic = 'SQLite format 3\0';

/**
 * Opens the ledger, and makes it when there is none. A new one is built under another name and then
 * linked to its place: of two first starts at once exactly one wins, and a file at `path` is always
 * whole. Whatever else lies at `path` (another program's database, a damaged file, a newer schema)
 * is refused before SQLite gets to touch it.
 */
export async function openSqliteLedger(
  path: string,
  options: ConnectionOptions,
): Promise<SqliteLedger> {
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw new Fault(
      'path-too-long',
      `The path of the ledger has ${Buffer.byteLength(path)} bytes (${path.slice(0, 60)}…); it may have ${maxPathBytes}.`,
      'Set SIGNALBOX_HOME to a folder with a shorter path.',
    );
  }
  if (!ledgerExists(path)) await create(path, options);
  return connect(path, options, migrate);
}

/**
 * For whoever only looks: nothing is made, and a ledger of an earlier form is refused, since an
 * older daemon may live on it.
 */
export async function openToLook(
  path: string,
  options: ConnectionOptions,
): Promise<SqliteLedger | undefined> {
  return ledgerExists(path) ? connect(path, options, requireCurrent) : undefined;
}

/** `prepare` returns the id of the ledger. */
async function connect(
  path: string,
  options: ConnectionOptions,
  prepare: (connection: Connection) => Promise<string>,
): Promise<SqliteLedger> {
  // Closing any descriptor of a file drops all locks this process holds on it: never look while it
  // is open here.
  if (!openHere.has(path)) refuseForeign(path);
  const connection = new Connection(path, options);
  openHere.set(path, (openHere.get(path) ?? 0) + 1);
  try {
    await connection.configure();
    const id = await prepare(connection);
    return new SqliteLedger(connection, id, () => leave(path));
  } catch (error) {
    connection.close();
    leave(path);
    throw toFault(error, path);
  }
}

/** How many connections of this process each ledger has. */
const openHere = new Map<string, number>();

function leave(path: string): void {
  const left = (openHere.get(path) ?? 1) - 1;
  if (left > 0) openHere.set(path, left);
  else openHere.delete(path);
}

async function create(path: string, options: ConnectionOptions): Promise<void> {
  const draft = `${path}.new-${createId('tmp', options.clock.now())}`;
  try {
    const folder = dirname(path);
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, '', { mode: 0o600, flag: 'wx' });
    const connection = new Connection(draft, options);
    try {
      await setUp(connection, options.clock.now());
    } finally {
      connection.close();
    }
    syncPath(draft);
    linkSync(draft, path);
    // The new name, and that of every folder made for it, up to the one that was there before.
    for (let at = folder; ; at = dirname(at)) {
      syncPath(at);
      if (made === undefined || at === dirname(made) || at === dirname(at)) break;
    }
  } catch (error) {
    if (isCode(error, 'EEXIST')) return; // Another first start won; its ledger is as good as ours.
    throw isSystemError(error) ? cannotCreate(path, error) : toFault(error, path);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true });
  }
}

/** Reads the first bytes itself: opening a database in SQLite may already write beside it. */
function refuseForeign(path: string): void {
  const header = Buffer.alloc(100);
  let read = 0;
  try {
    const fd = openSync(path, 'r');
    try {
      read = readSync(fd, header, 0, header.length, 0);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw cannotCreate(path, error);
  }
  if (read < header.length || header.toString('latin1', 0, 16) !== magic) {
    throw new Fault(
      'ledger-corrupt',
      `${path} is not a ledger: ${read < header.length ? `it has only ${read} bytes` : 'it does not begin like one'}. It was left as it is.`,
      howToReplace,
    );
  }
  if (header.readUInt32BE(68) !== applicationId) {
    throw new Fault(
      'ledger-foreign',
      `${path} is a database of another program; it was left as it is.`,
      'Move it away, or set SIGNALBOX_HOME to another folder.',
    );
  }
  refuseNewer(path, header.readUInt32BE(60));
}

/**
 * A log without its ledger is refused: SQLite would play it into the new one, and that would be a
 * damaged mixture. The log is looked for first, so that it cannot be that of another first start
 * which has just won.
 */
export function ledgerExists(path: string): boolean {
  try {
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    if (statSync(path, { throwIfNoEntry: false })) return true;
    if (!log || log.size === 0) return false;
  } catch (error) {
    throw cannotCreate(path, error);
  }
  throw new Fault(
    'ledger-corrupt',
    `The ledger ${path} is gone, but its log (${path}-wal) is still there, with messages in it.`,
    'Put the ledger back beside it; to begin a new one, move the log away too.',
  );
}

function syncPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function cannotCreate(path: string, error: unknown): Fault {
  const why = error instanceof Error ? error.message : String(error);
  return new Fault(
    'ledger-unwritable',
    `The ledger ${path} could not be opened: ${why}.`,
    'Make its folder writable, or set SIGNALBOX_HOME to one that is.',
    { cause: error },
  );
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
