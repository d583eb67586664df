// Tests: test/contracts/settling.test.ts.

import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { returnToQueue } from './return-to-queue.ts';

/**
 * A person puts a dead or expired message back into its inbox, with its attempts and time to live
 * forgiven. `from`: not at the command line.
 */
export async function retry(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  from?: { readonly evidence: string },
): Promise<'queued' | 'superseded' | 'wrong-state' | 'recipient-gone'> {
  if (message.state !== 'dead' && message.state !== 'expired') return 'wrong-state';
  const recipient = await tx.agents.find(message.to);
  if (!recipient || recipient.removedAt !== undefined) return 'recipient-gone';
  const set = {
    reason: null,
    notLanded: 0,
    reoffered: false,
    expiresAt: null,
    discardedAt: null,
    // An earlier attempt may have landed after all.
    mayRepeat: message.attempts > 0,
  } as const;
  const why = { code: 'retried', cause: 'retried by a person' } as const;
  const state = await returnToQueue(tx, at, message, why, { set, ...from });
  return state === undefined || state === 'dead' ? 'wrong-state' : state;
}

/** Hides it from lists; its history stays until retention. */
export async function discard(
  tx: LedgerTransaction,
  at: number,
  message: Message,
): Promise<'discarded' | 'wrong-state'> {
  if (message.state !== 'dead' && message.state !== 'expired') return 'wrong-state';
  await tx.messages.setDiscarded(message.id, at);
  return 'discarded';
}

/**
 * What a person should look at: dead or expired, not discarded. A dead bounce needs no attention
 * (rule 34).
 */
export const deadLetterQuery = { states: ['dead', 'expired'], lettersOnly: true } as const;
