import { Fault } from '../../shared/fault.ts';
import { UnwrittenFault } from '../../shared/unwritten.ts';

/** With its log: one that stays behind would be played into the new ledger. */
export const howToReplace =
  'Restore a copy, or move it away, with its -wal if there is one, to begin a new ledger.';

/** What SQLite's error codes mean to a caller. A `Fault` and a bug pass through as they are. */
export function toFault(error: unknown, path: string): unknown {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (code === 'ERR_DLOPEN_FAILED' || code === 'MODULE_NOT_FOUND') {
    return new Fault(
      'wrong-node',
      `The database module of this signalbox cannot be loaded by the Node.js that runs it (${process.version}).`,
      'Run it with the Node.js that it was installed with, or install it again with this one; SIGNALBOX_DEBUG=1 prints the cause.',
      { cause: error },
    );
  }
  if (error instanceof Fault || typeof code !== 'string' || !code.startsWith('SQLITE_'))
    return error;
  const said = error instanceof Error ? error.message : String(error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return new Fault(
      'ledger-corrupt',
      `The ledger ${path} is damaged (${said}); it was left as it is.`,
      howToReplace,
      { cause: error },
    );
  }
  if (code === 'SQLITE_FULL') {
    const why = `the disk is full (${said})`;
    return unwritable(path, why, { remedy: 'Free some space', cause: error });
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM)/.test(code)) {
    const next = 'Make the state folder writable, or set SIGNALBOX_HOME to one that is.';
    return unwritable(path, said, { remedy: 'Make the state folder writable', next, cause: error });
  }
  if (/^SQLITE_IOERR_(DIR_)?FSYNC$/.test(code)) {
    // The frames may have reached the disk after all; after a restart the whole transaction is
    // there, or none of it.
    return new UnwrittenFault('ledger-unwritable', {
      why: `The disk refused to confirm a write to the ledger ${path} (${code}: ${said}).`,
      unchanged: 'The change is not accepted.',
      remedy: 'Check the disk',
      next: 'Check the disk, then repeat the command with the same --key: it is then accepted once, whichever way it went.',
      cause: error,
    });
  }
  if (/^SQLITE_IOERR/.test(code)) {
    const remedy = 'Check the disk (space, file size limit, errors in the system log)';
    return unwritable(path, `${code}: ${said}`, { remedy, cause: error });
  }
  return error;
}

function unwritable(
  path: string,
  why: string,
  {
    remedy,
    next = `${remedy} and try again.`,
    cause,
  }: { readonly remedy: string; readonly next?: string; readonly cause: unknown },
): Fault {
  return new UnwrittenFault('ledger-unwritable', {
    why: `The ledger ${path} could not be written: ${why}.`,
    unchanged: 'Nothing was accepted or changed.',
    ...{ remedy, next, cause },
  });
}

export function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  // PROTOCOL is what a reader gets when it loses the race for the wal-index too often.
  return typeof code === 'string' && /^SQLITE_(BUSY|PROTOCOL)/.test(code);
}

export function tooBusy(path: string, ms: number): Fault {
  return new UnwrittenFault('ledger-busy', {
    why: `Other processes kept the ledger ${path} locked for ${Math.round(ms / 1000)} s.`,
    unchanged: 'Nothing was written.',
    remedy: 'Look for a process that is stopped or very slow',
    next: 'Try again; if it stays so, look for a process that is stopped or very slow (`signalbox config get lock-wait`).',
  });
}
