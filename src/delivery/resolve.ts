// Tests: test/contracts/settling.test.ts.

import { limits, type Message } from '../messages/message.ts';
import { truncate } from '../messages/truncate.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { releaseFromClaim } from './acknowledge.ts';
import { bury } from './bury.ts';
import { returnToQueue } from './return-to-queue.ts';

/**
 * At most so many attempts proven not landed (rule 34). Pulls and the model API's failures do not
 * count.
 */
export const maxNotLanded = 5;
/**
 * Marked copies where no record can tell whether one landed (rule 34); where records could, there
 * is one.
 */
const maxUnprovableCopies = 3;

export type Verdict =
  /** Proven not landed. */
  | 'absent'
  /** The same: the CLI gave it back out of its queue. */
  | 'withdrawn'
  /** The agent still holds it, in its own queue. */
  | 'held'
  /** No proof can be had either way. */
  | 'no-proof';

/**
 * What becomes of an attempt whose fate was open (rule 10). Returns the state the message ended in.
 */
export async function resolve(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  verdict: Verdict,
  found: string,
): Promise<Message['state']> {
  const evidence = truncate(found, limits.reason).text;
  switch (verdict) {
    case 'held':
      return hold(tx, at, message, evidence);
    case 'absent':
      return retryProven(tx, at, message, { code: 'not-landed', evidence });
    case 'withdrawn':
      return retryProven(tx, at, message, { code: 'withdrawn', evidence });
    case 'no-proof':
      return offerOnceMore(tx, at, message, evidence);
  }
}

async function hold(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  evidence: string,
): Promise<Message['state']> {
  if (message.state !== 'uncertain') return message.state;
  const why = { code: 'held', cause: 'the agent still holds it', evidence } as const;
  await tx.messages.move([message.id], { from: 'uncertain', to: 'injected', at, ...why });
  if (message.token !== undefined) {
    await tx.claims.setOutcome([message.id], message.token, 'injected');
  }
  return 'injected';
}

async function retryProven(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  { code, evidence }: { code: 'not-landed' | 'withdrawn'; evidence: string },
): Promise<Message['state']> {
  if (message.state !== 'uncertain' && message.state !== 'injected') return message.state;
  const notLanded = message.notLanded + 1;
  if (notLanded >= maxNotLanded) {
    const why = { code, cause: `${notLanded} attempts did not land: ${evidence}` };
    // Before the sender is told: what it says about this attempt is known.
    await markNotLanded(tx, message);
    await bury(tx, at, message, 'attempts_exhausted', why);
    await markNotLanded(tx, message);
    return 'dead';
  }
  const set = { notLanded, mayRepeat: await mayAnotherHaveLanded(tx, message) };
  const why = { code, cause: `proven not landed: ${evidence}` };
  const state = await returnToQueue(tx, at, message, why, { set });
  await releaseFromClaim(tx, at, message, 'not-landed');
  return state ?? message.state;
}

/**
 * One attempt is proven not landed; the next copy is a first one only if no other attempt may have
 * landed either.
 */
async function mayAnotherHaveLanded(tx: LedgerTransaction, message: Message): Promise<boolean> {
  const attempts = await tx.claims.listAttempts(message.id);
  return attempts.some(
    ({ token, outcome }) =>
      token !== message.token && outcome !== 'not-landed' && outcome !== 'abandoned',
  );
}

async function offerOnceMore(
  tx: LedgerTransaction,
  at: number,
  message: Message,
  evidence: string,
): Promise<Message['state']> {
  if (message.state !== 'uncertain') return message.state;
  if (message.reoffered && !(await mayOfferOnceMore(tx, message))) {
    const cause = `the last marked copy is uncertain too: ${evidence}`;
    await bury(tx, at, message, 'attempts_exhausted', { code: 'copies-uncertain', cause });
    return 'dead';
  }
  const set = { reoffered: true, mayRepeat: true };
  const cause = `offered once more, marked as a possible repeat: ${evidence}`;
  const why = { code: 'offered-once-more', cause } as const;
  return (await returnToQueue(tx, at, message, why, { set })) ?? message.state;
}

/**
 * A program without records gets up to three marked copies: each of them was cut off between the
 * claim and the act.
 */
async function mayOfferOnceMore(tx: LedgerTransaction, message: Message): Promise<boolean> {
  const claim = message.token === undefined ? undefined : await tx.claims.find(message.token);
  if (!claim || claim.provable) return false;
  const attempts = await tx.claims.listAttempts(message.id);
  const copies = attempts.filter(
    ({ route, outcome }) => route !== 'pull' && outcome === 'uncertain',
  );
  return copies.length <= maxUnprovableCopies;
}

/**
 * The last attempt's own outcome outlives the burial, so that a forged late proof for it counts for
 * nothing.
 */
async function markNotLanded(tx: LedgerTransaction, message: Message): Promise<void> {
  if (message.token !== undefined) {
    await tx.claims.setOutcome([message.id], message.token, 'not-landed');
  }
}
