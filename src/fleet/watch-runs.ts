import { pause } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { FleetParts } from './parts.ts';
import { settleRuns } from './settle-runs.ts';

/** As often as inboxes are swept: a wrapper that was killed has nobody who would tell. */
const everyMs = 30_000;

/** At once and then until the signal. Resolves when nothing of it is under way any more. */
export async function watchRuns(
  { ledger, surroundings, folders, log }: FleetParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await settleRuns({ ledger, surroundings, spool: folders.spool }).catch((error: unknown) => {
      reportBug('telling the ends of one-shot commands', error);
      log.warn({ error: String(error) }, 'ends of one-shot commands could not be told');
    });
    await pause(surroundings.clock, everyMs, signal);
  }
}
