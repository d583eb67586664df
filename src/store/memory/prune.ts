import type { PruneBound, Pruned } from '../../messages/message-store.ts';
import type { StoredMessage, Tables } from './tables.ts';

/** Deletes what ended before, the oldest first, and at least one. */
export function prune(
  tables: Tables,
  before: number,
  { count, bytes, letters }: PruneBound,
): Pruned {
  const prunable = listPrunable(tables, before, letters);
  let sum = 0;
  const over = prunable.findIndex(({ body }, i) => {
    sum += Buffer.byteLength(body);
    return i > 0 && (i >= count || sum > bytes);
  });
  const taken = over < 0 ? prunable : prunable.slice(0, over);
  for (const message of taken) tables.deleteMessage(message);
  return { count: taken.length, hasMore: prunable.length > taken.length };
}

export function countPrunable(
  tables: Tables,
  before: number,
  { limit, letters }: { readonly limit: number; readonly letters: number },
): number {
  return Math.min(listPrunable(tables, before, letters).length, limit);
}

function listPrunable(tables: Tables, before: number, letters: number): readonly StoredMessage[] {
  const { claims, debts } = tables;
  const all = [...tables.messages.values()];
  const isOwed = (id: string): boolean => debts.has(id) && debts.get(id)?.endedAt === undefined;
  const waiting = all.filter(isLetter).sort((a, b) => b.seq - a.seq);
  const kept = new Set(waiting.slice(0, letters).map(({ id }) => id));
  const endedAt = (message: StoredMessage): number | undefined => {
    const { state, token = 0, settledAt, discardedAt = 0 } = message;
    if (settledAt !== undefined) return Math.max(settledAt, discardedAt);
    // Rule 8: without any proof to be had it is an end.
    const claim = claims.get(token);
    const isPointer = tables.attempts.get(message.id)?.get(token)?.isPointer;
    return state === 'injected' && claim?.provable === false && !isPointer ? claim.at : undefined;
  };
  return all.filter(
    (message) =>
      (endedAt(message) ?? before) < before && !isOwed(message.id) && !kept.has(message.id),
  );
}

/** Dead, and nobody has discarded it (`delivery/dead-letters.ts`). */
function isLetter({ state, kind, discardedAt }: StoredMessage): boolean {
  const isDead = state === 'dead' || state === 'expired';
  return isDead && discardedAt === undefined && kind !== 'bounce' && kind !== 'notice';
}
