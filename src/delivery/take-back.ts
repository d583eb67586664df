// Tests: src/delivery/follow-evidence.test.ts.

import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { releaseFromClaim } from './acknowledge.ts';
import { bury } from './bury.ts';

/**
 * A person took the user's prompt back at the terminal: by an interruption before the model had
 * said anything, or out of the composer (rule 51d). It is not offered again, and needs nobody's
 * attention. Only who gave a task is told: its answer is owed no longer.
 */
export async function takeBack(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  evidence: string,
): Promise<void> {
  const why = { code: 'taken-back', cause: 'taken back at the terminal' } as const;
  if (message.kind === 'task') await bury(tx, at, message, 'withdrawn', why);
  else {
    const { id, state: from } = message;
    const set = { reason: 'withdrawn' } as const;
    await tx.messages.move([id], { from, to: 'dead', at, ...why, evidence, set });
    await releaseFromClaim(tx, at, message, 'dead');
  }
  await tx.messages.setDiscarded(message.id, at);
}
