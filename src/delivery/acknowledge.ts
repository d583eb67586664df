// Tests: test/contracts/pull.test.ts, test/contracts/claims.test.ts.

import { createLateProofNotice } from '../messages/bounce.ts';
import type { Cause } from '../messages/cause.ts';
import type { Message } from '../messages/message.ts';
import { canMove } from '../messages/transitions.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { tellSender } from './tell-sender.ts';

export interface Acknowledged {
  readonly id: string;
  readonly outcome: 'acked' | 'already-acked' | 'superseded' | 'unknown';
}

/**
 * The recipient answers for messages by id. That always wins, whatever a route is doing with them
 * (rule 18).
 */
export async function acknowledge(
  tx: LedgerTransaction,
  now: number,
  ids: readonly string[],
  why: Cause,
): Promise<readonly Acknowledged[]> {
  const results: Acknowledged[] = [];
  for (const id of ids) {
    const message = await tx.messages.find(id);
    if (!message) results.push({ id, outcome: 'unknown' });
    else if (message.state === 'acked') results.push({ id, outcome: 'already-acked' });
    else if (!canMove(message.state, 'acked')) results.push({ id, outcome: 'superseded' });
    else {
      await ackOne(tx, now, message, why);
      results.push({ id, outcome: 'acked' });
    }
  }
  return results;
}

async function ackOne(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  why: Cause,
): Promise<void> {
  const set = { reason: null };
  await tx.messages.move([message.id], { from: message.state, to: 'acked', at, ...why, set });
  await releaseFromClaim(tx, at, message, 'acked');
  if (message.state === 'dead' || message.state === 'expired') {
    await tellSender(tx, at, message, (m, name) => createLateProofNotice(m, name, why.cause));
  }
}

/**
 * After a message left the hands of the claim that carried it: the attempt's outcome, and the
 * claim's end.
 */
export async function releaseFromClaim(
  tx: LedgerTransaction,
  at: number,
  before: Message,
  outcome: 'acked' | 'seen' | 'dead' | 'abandoned' | 'not-landed' | 'uncertain',
): Promise<void> {
  if (before.token === undefined || before.state === 'queued') return;
  await tx.claims.setOutcome([before.id], before.token, outcome);
  if (before.state === 'claimed') await tx.claims.endIfEmpty(before.token, at);
}
