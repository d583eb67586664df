// Tests: test/contracts/settling.test.ts, test/contracts/completions.test.ts.

import { createBounce } from '../messages/bounce.ts';
import type { Cause } from '../messages/cause.ts';
import type { DeadReason, Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { releaseFromClaim } from './acknowledge.ts';
import { mayHaveBeenRead } from './may-have-been-read.ts';
import { tellSender } from './tell-sender.ts';

/** Makes a message dead and tells its sender, in one transaction (rules 34, 35). */
export async function bury(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  reason: DeadReason,
  why: Cause,
): Promise<void> {
  const { id, state: from } = message;
  const isMaybe = await mayHaveBeenRead(tx, message);
  const told = await tellSender(tx, at, { ...message, reason }, (dead, name) =>
    createBounce(dead, name, isMaybe),
  );
  await tx.messages.move([id], { from, to: 'dead', at, ...why, set: { reason }, ...told });
  await releaseFromClaim(tx, at, message, 'dead');
  await showNewestDeadCompletion(tx, at, { ...message, reason });
}

/**
 * At most one dead completion per child and reason is shown: the newest; older ones are discarded,
 * not lost (O6, rule 29).
 */
export async function showNewestDeadCompletion(
  tx: LedgerTransaction,
  at: number,
  dead: Pick<Message, 'id' | 'kind' | 'child' | 'reason'>,
): Promise<void> {
  if (dead.kind !== 'completion' || dead.child === undefined || dead.reason === undefined) return;
  const shown = await tx.messages.listDeadCompletions(dead.child, dead.reason);
  const newest = shown.at(-1);
  for (const older of shown) {
    if (older !== newest && !older.answersTask) await tx.messages.setDiscarded(older.id, at);
  }
}
