import type { Clock } from '../shared/clock.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import type { Ledger, LedgerTransaction, WriteOptions } from '../store/ledger.ts';

/** Messages of one look. */
const slice = 500;
/** Agents, or lives of agents, in one transaction. */
const batch = 20;

export interface ForgetBounds extends WriteOptions {
  readonly signal?: AbortSignal;
  /** Between two steps. */
  readonly rest?: () => Promise<unknown>;
  /** Where more messages than this would have to be looked at, nothing is forgotten. */
  readonly mostMessages?: number;
}

export interface Forgotten {
  /** The agents that are gone. */
  readonly agents: readonly string[];
  /** Lives of agents that stay, and decisions of old. */
  readonly rows: number;
}

/**
 * Removed agents follow retention: with their lives, runs, budgets and turn ends they go when they
 * were removed that long ago, nothing of theirs goes on, and no message names them any more. As
 * long as one does, `explain` and lists show its sender and recipient. So do lives of agents that
 * were restarted often. Every message is looked at once, a slice at a time, before anything is
 * written; what came in since is looked at in the transaction that deletes.
 */
export async function forgetAgents(
  ledger: Pick<Ledger, 'read' | 'write'>,
  clock: Clock,
  retentionMs: number,
  bounds: ForgetBounds = {},
): Promise<Forgotten> {
  const { signal, rest, mostMessages = Number.POSITIVE_INFINITY, ...options } = bounds;
  const before = clock.now() - retentionMs;
  let rows = 0;
  while (!signal?.aborted) {
    const lives = await ledger.write((tx) => tx.epochs.prune(before, batch), options);
    rows += lives;
    if (lives < batch) break;
    await rest?.();
  }
  for (const kept of ['answers', 'interruptions'] as const) {
    while (!signal?.aborted) {
      const gone = await ledger.write((tx) => tx[kept].prune(before, batch), options);
      rows += gone;
      if (gone < batch) break;
      await rest?.();
    }
  }
  const unnamed = new Set(await ledger.read((tx) => tx.agents.listForgettable(before)));
  let seq = 0;
  for (let looked = 0; unnamed.size > 0; looked += slice) {
    if (signal?.aborted || looked >= mostMessages) return { agents: [], rows };
    const { lastSeq } = await ledger.read((tx) => strike(tx, unnamed, seq));
    if (lastSeq === undefined) break;
    seq = lastSeq;
    await rest?.();
  }
  const forgotten: string[] = [];
  while (unnamed.size > 0 && !signal?.aborted) {
    const gone = await ledger.write((tx) => forgetSome(tx, before, unnamed, seq), options);
    await reachFailPoint('forget.committed');
    forgotten.push(...gone);
    for (const id of gone) unnamed.delete(id);
    if (gone.length < batch) break;
    await rest?.();
  }
  return { agents: forgotten, rows };
}

async function forgetSome(
  tx: LedgerTransaction,
  before: number,
  unnamed: ReadonlySet<string>,
  seq: number,
): Promise<readonly string[]> {
  const still = new Set(unnamed);
  for (let last = seq; still.size > 0; ) {
    const { lastSeq } = await strike(tx, still, last);
    if (lastSeq === undefined) break;
    last = lastSeq;
  }
  const forgettable = await tx.agents.listForgettable(before);
  const some = forgettable.filter((id) => still.has(id)).slice(0, batch);
  for (const id of some) {
    await tx.turns.forget(id);
    await tx.agents.forget(id);
  }
  await reachFailPoint('forget.uncommitted');
  return some;
}

/** Takes out whom the next messages name. */
async function strike(
  tx: LedgerTransaction,
  unnamed: Set<string>,
  seq: number,
): Promise<{ readonly lastSeq: number | undefined }> {
  const { agents, lastSeq } = await tx.messages.listParties(seq, slice);
  for (const id of agents) unnamed.delete(id);
  return { lastSeq };
}
