// Tests: test/contracts/settling.test.ts, test/contracts/claims.test.ts.

import { createBounce } from '../messages/bounce.ts';
import type { Cause } from '../messages/cause.ts';
import { type Claim, isLeaseExpired } from '../messages/claim.ts';
import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { leaseExpired, loseSight, type Surroundings } from './claim.ts';
import { isBegun } from './list-begun.ts';
import { mayHaveBeenRead } from './may-have-been-read.ts';
import { tellSender } from './tell-sender.ts';

/** What one call settles at most, so that nobody waits long for it. */
const batch = 500;

interface Due {
  readonly lost: readonly { readonly claim: Claim; readonly why: Cause }[];
  readonly overdue: readonly Message[];
}

/**
 * Looks, and writes nothing: dead holders, leases that ran out, times to live that passed (rules 3,
 * 5, 16).
 */
export async function findDue(
  tx: LedgerTransaction,
  surroundings: Surroundings,
  recipient: string,
): Promise<Due> {
  const lost: { claim: Claim; why: Cause }[] = [];
  for (const claim of await tx.claims.listUnfinished(recipient)) {
    const why = judge(claim, surroundings);
    if (why && !(await isHandedOut(tx, claim))) lost.push({ claim, why });
  }
  const now = surroundings.clock.now();
  return { lost, overdue: await tx.messages.listOverdue(recipient, now, batch) };
}

export function isDue(due: Due): boolean {
  return due.lost.length > 0 || due.overdue.length > 0;
}

/** Settles what is due in one inbox, within bounds. Returns how many messages moved. */
export async function settleDue(
  tx: LedgerTransaction,
  surroundings: Surroundings,
  recipient: string,
): Promise<number> {
  const { lost, overdue } = await findDue(tx, surroundings, recipient);
  const at = surroundings.clock.now();
  let moved = 0;
  for (const { claim, why } of lost) moved += await loseSight(tx, at, claim, why);
  for (const message of overdue) moved += await expire(tx, at, message);
  return moved;
}

function judge(claim: Claim, { clock, host }: Surroundings): Cause | undefined {
  const life = host.judge(claim.holder);
  if (life === 'dead')
    return { code: 'holder-died', cause: `its holder (pid ${claim.holder.pid}) died` };
  const here = { boot: host.identity.boot, monotonicMs: clock.monotonicMs() };
  const isLive = claim.endedAt === undefined;
  // After the act no clock runs (rule 4), except for a puller that nobody here can see.
  if ((isLive || life === 'unknown') && isLeaseExpired(claim, here)) return leaseExpired;
  return undefined;
}

/**
 * Printed to its end inside the agent's terminal: from then on the agent's life counts, not that of
 * the command (rule 17).
 */
async function isHandedOut(tx: LedgerTransaction, { token, route }: Claim): Promise<boolean> {
  if (route !== 'pull') return false;
  const attempts = await tx.claims.listAttemptsOf(token);
  const open = attempts.filter(({ outcome }) => outcome === 'claimed' || outcome === 'injected');
  for (const attempt of open) {
    // Of a long message that part has arrived; the next one is not asked for yet, or has a holder
    // of its own.
    if (attempt.handedOutAt === undefined && !(await isBegun(tx, attempt))) return false;
  }
  return open.length > 0;
}

async function expire(tx: LedgerTransaction, at: number, message: Message): Promise<number> {
  const isMaybe = await mayHaveBeenRead(tx, message);
  const told = await tellSender(tx, at, message, (late, name) => createBounce(late, name, isMaybe));
  const why = { code: 'expired', cause: 'its time to live passed' } as const;
  const move = { from: 'queued', to: 'expired', at, ...why, ...told } as const;
  return (await tx.messages.move([message.id], move)).length;
}
