import type { Clock } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Ledger } from '../store/ledger.ts';

/** Rows per transaction: a few milliseconds, so that no sender notices. */
const batch = 200;
/** Between two rounds that nobody asked for. */
const roundEveryMs = 3_600_000;

/** Removes every settled message older than the retention, in small transactions; returns how many. */
export async function prune(
  ledger: Ledger,
  clock: Clock,
  retentionMs: number,
  bounds: { batches?: number; waitMs?: number } = {},
): Promise<number> {
  const { batches = Number.POSITIVE_INFINITY, waitMs } = bounds;
  let pruned = 0;
  for (let round = 0; round < batches; round++) {
    const removed = await ledger.write(
      async (tx) => {
        await tx.messages.setLastPrunedAt(clock.now());
        return tx.messages.prune(clock.now() - retentionMs, batch);
      },
      waitMs === undefined ? {} : { waitMs },
    );
    pruned += removed;
    if (removed < batch) break;
  }
  return pruned;
}

/**
 * The share of pruning that a command does in passing while no daemon does it, after it has answered: now and then, little,
 * and only if the ledger is free. Whatever goes wrong with it is no failure of the command, and is tried again by the next.
 */
export async function pruneInPassing(
  ledger: Ledger,
  clock: Clock,
  retentionMs: number,
): Promise<void> {
  try {
    const last = await ledger.read((tx) => tx.messages.lastPrunedAt());
    // A clock that was set back must not keep us from pruning until it has caught up.
    if (Math.abs(clock.now() - last) < roundEveryMs) return;
    await prune(ledger, clock, retentionMs, { batches: 5, waitMs: 50 });
  } catch (error) {
    // A full disk, a busy ledger, a folder that is gone: the command itself has told what matters. A mistake of ours is noted.
    reportBug('pruning in passing', error);
  }
}
