import { reachFailPoint } from '../shared/fail-point.ts';
import type { Log } from '../shared/log.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Ledger } from '../store/ledger.ts';

/**
 * Of what is in use: a second of a start at most. A larger ledger is made so when retention has
 * done its work, or by `doctor --fix`.
 */
const mostRebuilt = 64 * 1024 * 1024;

/**
 * A ledger of an earlier version, before anybody is served: the file can then give freed pages
 * back. Without it nothing is lost.
 */
export async function makeShrinkable({ space }: Ledger, log: Log): Promise<void> {
  try {
    await reachFailPoint('space.rebuild');
    const outcome = await space.rebuild(mostRebuilt);
    if (outcome !== 'not-needed') log.info({ outcome }, "the ledger's file is made to shrink");
  } catch (error) {
    reportBug("rebuilding the ledger's file", error);
    log.warn({ error: String(error) }, "the ledger's file could not be rebuilt");
  }
}
