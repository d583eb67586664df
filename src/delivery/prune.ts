// Tests: test/contracts/retention.test.ts.

import type { Clock } from '../shared/clock.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Ledger, WriteOptions } from '../store/ledger.ts';

/**
 * Of one transaction: 50 rows took 4 ms with their fsync, 40 ms at most, on a loaded machine. A
 * body of 60 KB is overwritten page by page, hence the second bound.
 */
const batch = { count: 50, bytes: 256 * 1024 } as const;
/**
 * Dead letters that nobody has discarded and that stay however old they are; behind so many, the
 * oldest follow retention.
 */
const letters = 1000;
/** Between two rounds that nobody asked for. */
const roundEveryMs = 3_600_000;
/** What a command does in passing, and from how many on it does not wait for the next hour. */
const share = { batches: 4, from: 200 } as const;

export interface PruneBounds extends WriteOptions {
  readonly batches?: number;
  readonly signal?: AbortSignal;
  /** Between two batches. */
  readonly rest?: () => Promise<unknown>;
}

/**
 * Removes every message whose end came before the retention, in small transactions; returns how
 * many.
 */
export async function prune(
  ledger: Pick<Ledger, 'write'>,
  clock: Clock,
  retentionMs: number,
  bounds: PruneBounds = {},
): Promise<number> {
  const { batches = Number.POSITIVE_INFINITY, signal, rest, ...options } = bounds;
  let pruned = 0;
  for (let round = 0; round < batches && !signal?.aborted; round++) {
    const { count, hasMore } = await ledger.write(async (tx) => {
      const now = clock.now();
      await tx.messages.setLastPrunedAt(now);
      const done = await tx.messages.prune(now - retentionMs, { ...batch, letters });
      await reachFailPoint('prune.uncommitted');
      return done;
    }, options);
    await reachFailPoint('prune.committed');
    pruned += count;
    if (!hasMore) break;
    await rest?.();
  }
  return pruned;
}

/**
 * The share of pruning that a command does in passing, after it has answered: little, and only if
 * the ledger is free. It is once an hour; where more than a share is due it is every command that
 * wrote, so that a machine without a daemon prunes faster than it sends. Whatever goes wrong with
 * it is no failure of the command, and is tried again by the next. A `round` is the hourly one, and
 * takes along what else is due then.
 */
export async function pruneInPassing(
  ledger: Ledger,
  clock: Clock,
  retentionMs: number,
): Promise<'round' | 'share' | undefined> {
  try {
    const due = await ledger.read(async ({ messages }) => {
      // A clock that was set back must not keep us from pruning until it has caught up.
      if (Math.abs(clock.now() - (await messages.lastPrunedAt())) >= roundEveryMs) return 'round';
      const bound = { limit: share.from, letters };
      const found = await messages.countPrunable(clock.now() - retentionMs, bound);
      return found >= share.from ? 'share' : undefined;
    });
    if (due !== undefined)
      await prune(ledger, clock, retentionMs, { batches: share.batches, waitMs: 50 });
    return due;
  } catch (error) {
    // A full disk, a busy ledger, a folder that is gone: the command itself has told what matters.
    // A mistake of ours is noted.
    return reportBug('pruning in passing', error);
  }
}
