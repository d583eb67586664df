// Tests: test/contracts/claims.test.ts, test/contracts/dropped-calls.test.ts.

import type { Cause } from '../messages/cause.ts';
import type { Claim } from '../messages/claim.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { returnToQueue } from './return-to-queue.ts';

/**
 * Nothing outside was touched, and nothing will be: a claim that has ended moves nothing any more.
 */
export async function abandonClaim(
  tx: LedgerTransaction,
  at: number,
  token: number,
  why: Cause,
): Promise<void> {
  const held = await tx.claims.find(token);
  if (held && held.endedAt === undefined) await abandon(tx, at, held, why);
}

/** Nothing outside was touched: back to `queued`. */
export async function abandon(
  tx: LedgerTransaction,
  at: number,
  held: Claim,
  why: Cause,
): Promise<void> {
  const carried = await tx.claims.listCarried(held, 'claimed');
  for (const message of carried) {
    await returnToQueue(tx, at, message, why, { token: held.token });
    await tx.claims.setOutcome([message.id], held.token, 'abandoned');
  }
  await tx.claims.endIfEmpty(held.token, at);
}
