import type { Clock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
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
  maxBatches = Number.POSITIVE_INFINITY,
): Promise<number> {
  let pruned = 0;
  for (let round = 0; round < maxBatches; round++) {
    const removed = await ledger.write(async (tx) => {
      await tx.messages.setLastPrunedAt(clock.now());
      return tx.messages.prune(clock.now() - retentionMs, batch);
    });
    pruned += removed;
    if (removed < batch) break;
  }
  return pruned;
}

/**
 * The share of pruning that a command does in passing while no daemon does it: now and then, and little. It never fails the
 * command: whoever was told "failed" after its message was accepted would send it twice.
 */
export async function pruneInPassing(
  ledger: Ledger,
  clock: Clock,
  retentionMs: number,
): Promise<void> {
  try {
    const last = await ledger.read((tx) => tx.messages.lastPrunedAt());
    // A clock that was set back must not keep us from pruning until it has caught up.
    if (Math.abs(clock.now() - last) >= roundEveryMs) await prune(ledger, clock, retentionMs, 5);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}
