// Tests: test/contracts/late-records.test.ts.

import type { OnRecord } from '../delivery/on-record.ts';
import { type Clock, pause } from '../shared/clock.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';

/**
 * So long the end of a turn waits for the record of a task that may have been in it. A starved
 * Claude Code 2.1.325 writes what its turn began with up to 0.3 s after the hook that tells its
 * end; whoever owes an answer is reminded after 10 s of rest.
 */
export const lateRecordsMs = 3000;
const askEveryMs = 100;

interface Given {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly agent: string;
  /** Claims that can have entered by then; undefined: all. */
  readonly among: readonly number[] | undefined;
  readonly read: () => Promise<OnRecord>;
}

/**
 * What the records say of what an agent owes. A task whose Enter was sent, and seen by nobody to be
 * taken, has perhaps begun the turn that ends now: as long as the records tell nothing of it, they
 * may be late, which is no proof that it was not in it (rule 41). Their last word counts when the
 * time is up.
 */
export async function readUntilTold(given: Given, signal: AbortSignal): Promise<OnRecord> {
  const { clock, ledger, read } = given;
  const end = clock.monotonicMs() + lateRecordsMs;
  for (;;) {
    const found = await read();
    const isTold = !(await ledger.read((tx) => isUntold(tx, given, found)));
    if (isTold || clock.monotonicMs() >= end) return found;
    if (!(await pause(clock, askEveryMs, signal))) return found;
  }
}

async function isUntold(
  tx: LedgerTransaction,
  { agent, among }: Given,
  onRecord: OnRecord,
): Promise<boolean> {
  for (const { task } of await tx.debts.listOwedBy(agent)) {
    const { state, token } = (await tx.messages.find(task)) ?? {};
    if (token === undefined || (state !== 'uncertain' && state !== 'claimed')) continue;
    if (among?.includes(token) === false) continue;
    if (onRecord.in.has(token) || onRecord.out.has(token)) continue;
    const claim = await tx.claims.find(token);
    if (claim?.route === 'paste' && claim.provable && claim.step === 'entered') return true;
  }
  return false;
}
