// Tests: test/contracts/completions.test.ts, test/contracts/settling.test.ts.

import type { Cause } from '../messages/cause.ts';
import type { Message } from '../messages/message.ts';
import type { MoveChanges } from '../messages/message-store.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * The one way back to `queued`. A completion that answers no task and has been overtaken by a newer
 * one of the same child is superseded on arrival (rule 28); a task that was taken back while
 * something had it is dead on arrival: its answer is owed no longer, and its worker was told
 * (rules 30, 34). Returns the state it ended in, or undefined when it had moved on meanwhile.
 */
export async function returnToQueue(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  why: Cause,
  options: { set?: MoveChanges; token?: number; evidence?: string } = {},
): Promise<'queued' | 'superseded' | 'dead' | undefined> {
  // What an earlier attempt left in the conversation says nothing about the next one (rule 13).
  const left = message.inContext === true ? { inContext: false } : {};
  const set = { ...left, ...options.set };
  const move = { from: message.state, to: 'queued', at, ...why, ...options, set } as const;
  const moved = await tx.messages.move([message.id], move);
  if (moved.length === 0) return undefined;
  if (await wasTakenBack(tx, message)) {
    const dead = { from: 'queued', to: 'dead', at, set: { reason: 'withdrawn' } } as const;
    await tx.messages.move([message.id], {
      ...dead,
      code: 'cancelled',
      cause: 'taken back before',
    });
    await tx.messages.setDiscarded(message.id, at);
    return 'dead';
  }
  if (message.kind !== 'completion' || message.answersTask) return 'queued';
  if (!(await tx.messages.hasNewerCompletion(message))) return 'queued';
  await supersede(tx, at, message.id, 'a newer completion of the same child exists');
  return 'superseded';
}

/** A person who retries what is dead wants it all the same, however often it comes back then. */
async function wasTakenBack(tx: LedgerTransaction, { id, kind, state }: Message): Promise<boolean> {
  if (kind !== 'task' || state === 'dead' || state === 'expired') return false;
  const { end, endedAt = 0 } = (await tx.debts.find(id)) ?? {};
  if (end !== 'withdrawn') return false;
  const history = await tx.messages.history(id);
  return !history.some(({ code, at }) => code === 'retried' && at >= endedAt);
}

export async function supersede(
  tx: LedgerTransaction,
  at: number,
  id: string,
  cause: string,
): Promise<void> {
  await tx.messages.move([id], { from: 'queued', to: 'superseded', at, code: 'superseded', cause });
}
