import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../shared/clock.ts';
import { reportBug } from '../../shared/report-bug.ts';

/** More reports than one daemon will ever make. */
const room = 1_000_000_000;

/**
 * Where the numbers of our reports begin. herdr drops a report, with `ok`, whose number is not
 * above all that its source has used before; so each daemon begins above the one before it, also
 * where the clock was set back meanwhile.
 */
export function firstSequence(folder: string, clock: Pick<Clock, 'now'>): number {
  const path = join(folder, 'sequence');
  const first = Math.max(clock.now() * 1000, readLast(path) + room);
  try {
    writeFileSync(`${path}.new`, String(first), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    // The disk is full, say: the clock alone has to do.
    reportBug('noting where the numbers of reports to herdr begin', error);
  }
  return first;
}

function readLast(path: string): number {
  try {
    const last = Number(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(last + 2 * room) ? last : 0;
  } catch {
    return -room; // There was none before, or nobody can tell.
  }
}
