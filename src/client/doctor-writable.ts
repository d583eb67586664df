import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding, StateFolderReport } from '../protocol/doctor.ts';
import { createSecret } from '../shared/ids.ts';

/**
 * Whether a byte can be written into the state folder: a disk that is full, read-only or broken is
 * found before a message meets it. A folder that is not there yet is not made; then it is asked
 * whether it could be.
 */
export function probeStateFolder(path: string): {
  readonly report: StateFolderReport;
  readonly attention: readonly Finding[];
} {
  const exists = findFolder(path);
  const above = exists === 'folder' ? path : findNearest(dirname(path));
  // The ledger, which cannot be there either, says what stands in its way.
  if (exists === 'other' || above === undefined) {
    return { report: { path, exists: false, canWrite: false }, attention: [] };
  }
  try {
    if (exists === 'folder') writeOneByte(path);
    else accessSync(above, constants.W_OK | constants.X_OK);
    return { report: { path, exists: exists === 'folder', canWrite: true }, attention: [] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Anything without a code is no answer of the disk.
    if (code === undefined) throw error;
    const isThere = exists === 'folder';
    const attention = [describe(path, { exists: isThere, code })];
    return { report: { path, exists: isThere, canWrite: false }, attention };
  }
}

/**
 * To the disk itself. The name goes first, so that a kill leaves nothing behind but in the moment
 * between the two; `uninstall --purge` knows the name.
 */
function writeOneByte(folder: string): void {
  const path = join(folder, `doctor.${createSecret('probe')}`);
  const fd = openSync(path, 'wx', 0o600);
  try {
    rmSync(path);
    writeSync(fd, '.');
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The nearest folder at or above this path; undefined where something else stands there. */
function findNearest(path: string): string | undefined {
  const found = findFolder(path);
  if (found === 'none') return findNearest(dirname(path));
  return found === 'folder' ? path : undefined;
}

function findFolder(path: string): 'folder' | 'other' | 'none' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // A file above it, or a folder that may not be searched: it is not for us to look further.
    return code === 'ENOENT' ? 'none' : 'other';
  }
}

interface Refusal {
  readonly exists: boolean;
  readonly code: string;
}

function describe(path: string, { exists, code }: Refusal): Finding {
  if (!exists) {
    return {
      what: `The state folder ${path} does not exist, and cannot be made (${code}).`,
      next: 'Make it yourself, or set SIGNALBOX_HOME to a folder of yours.',
    };
  }
  const [why, next] = Object.hasOwn(known, code) ? (known[code] ?? other) : other;
  return {
    what: `No byte can be written into the state folder ${path}: ${why} (${code}).`,
    next: `${next} Until then signalbox accepts no message; it has lost none.`,
  };
}

const full = ['the disk is full', 'Free some space.'] as const;
const closed = [
  'it is read-only for you',
  'See who owns it and its mode, or set SIGNALBOX_HOME to another folder.',
] as const;
const other = ['the disk refuses it', 'Check the disk.'] as const;
const known: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: full,
  EDQUOT: ['your disk quota is used up', 'Free some space.'],
  EACCES: closed,
  EPERM: closed,
  EROFS: ['its file system is mounted read-only', 'Mount it for writing, or set SIGNALBOX_HOME.'],
};
