// Tests: src/delivery/follow-evidence.test.ts, src/delivery/leave-unconfirmed.test.ts.

import type { Cause } from '../messages/cause.ts';
import type { AttemptTrace, Finding } from '../providers/way-in.ts';
import { pause } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { loseSight } from './claim.ts';
import { type EvidenceMemory, forgetWait, rememberDoubt } from './evidence-memory.ts';
import type { Verdict } from './judge-attempt.ts';
import { leaveUnconfirmed } from './leave-unconfirmed.ts';
import type { DeliveryParts } from './parts.ts';
import { prove } from './prove.ts';
import type { OpenAttempt } from './read-open.ts';
import type { Recipient } from './recipient.ts';
import { type Verdict as Resolution, resolve } from './resolve.ts';
import { takeBack } from './take-back.ts';
import { takeOut } from './take-out.ts';

/** A CLI that has not answered by then has perhaps not taken it back. */
const withdrawMs = 5000;

/** What was decided about one attempt, written down. */
export async function settleAttempt(
  parts: DeliveryParts,
  recipient: Pick<Recipient, 'agent' | 'native'>,
  memory: EvidenceMemory,
  item: OpenAttempt,
  verdict: Exclude<Verdict, object | 'interrupted'>,
  finding: Finding,
): Promise<void> {
  const { claim, isLive, trace } = item;
  const isBack =
    verdict === 'left' &&
    finding.found === 'held' &&
    (await withdrawFromCli(parts, recipient, trace));
  const decided = isBack ? 'withdrawn' : verdict;
  await parts.ledger.write((tx) => apply(tx, parts, item, decided, finding));
  // What is lost sight of has been waited for already: no second wait follows the first.
  if (verdict !== 'lost') forgetWait(memory, claim.token);
  if (verdict === 'seen' && isLive) memory.seenThisTurn.set(claim.token, claim);
  noteApi(parts, memory, verdict, finding);
  const isDoubtful = ['no-proof', 'left', 'unconfirmed', 'taken-back'].includes(decided);
  if (isDoubtful) rememberDoubt(memory, claim.token, trace);
}

/** What became of it tells how the model's API does. */
function noteApi(
  { surroundings }: DeliveryParts,
  { backOff }: EvidenceMemory,
  verdict: Verdict,
  { because }: Finding,
): void {
  if (verdict === 'seen') backOff.succeed();
  if (verdict === 'removed' && because !== 'interrupted')
    backOff.fail(surroundings.clock.monotonicMs());
}

/**
 * Out of a queue whose conversation was left (rule 42b), or for its sender (rule 34). Only the
 * CLI's own word that it is gone counts.
 */
export async function withdrawFromCli(
  { surroundings, log }: DeliveryParts,
  { agent, native }: Pick<Recipient, 'agent' | 'native'>,
  trace: AttemptTrace,
): Promise<boolean> {
  if (!native?.withdraw) return false;
  const over = new AbortController();
  const silence = pause(surroundings.clock, withdrawMs, over.signal).then(() => 'unknown' as const);
  try {
    return (await Promise.race([native.withdraw(trace), silence])) === 'withdrawn';
  } catch (error) {
    reportBug("taking a message back from a CLI's queue", error);
    log.warn({ agent, error: String(error) }, 'a message could not be taken back from a queue');
    return false;
  } finally {
    over.abort();
  }
}

async function apply(
  tx: LedgerTransaction,
  parts: DeliveryParts,
  item: OpenAttempt,
  verdict: Exclude<Verdict, object | 'interrupted'> | 'withdrawn',
  finding: Finding,
): Promise<void> {
  const { claim } = item;
  const { evidence } = finding;
  const at = parts.surroundings.clock.now();
  const decide = (as: Resolution, found: string): Promise<void> =>
    resolveEach(tx, at, item, as, found);
  switch (verdict) {
    case 'seen':
      await prove(tx, at, { mark: claim.mark, evidence });
      return;
    case 'removed':
      await takeOut(tx, at, claim, finding);
      return;
    case 'taken-back':
      for (const { id } of item.messages) {
        const message = await tx.messages.find(id);
        if (message?.token === claim.token) await takeBack(tx, at, message, evidence);
      }
      return;
    case 'lost':
      await loseSight(tx, at, claim, noProof);
      return;
    case 'withdrawn':
      return decide(
        'withdrawn',
        `taken back out of the queue where nobody would read it: ${evidence}`,
      );
    case 'left':
      await loseSight(tx, at, claim, describeLeft(finding));
      return decide('no-proof', evidence);
    case 'unconfirmed':
      return leaveUnconfirmed(tx, at, claim, evidence);
    case 'absent':
      return decide('absent', evidence === '' ? 'the act had not begun' : evidence);
    case 'held':
    case 'no-proof':
      return decide(verdict, evidence === '' ? 'no record can tell' : evidence);
  }
}

async function resolveEach(
  tx: LedgerTransaction,
  at: number,
  { claim, messages }: OpenAttempt,
  as: Resolution,
  found: string,
): Promise<void> {
  for (const { id } of messages) {
    const message = await tx.messages.find(id);
    if (message?.token === claim.token) await resolve(tx, at, message, as, found);
  }
}

function describeLeft({ isLeft, found }: Finding): Cause {
  if (isLeft)
    return { code: 'conversation-left', cause: 'the conversation that holds it was left' };
  return found === 'held'
    ? { code: 'queue-stands', cause: 'it stood in a queue of the CLI that did not move' }
    : { code: 'unanswered', cause: 'it stood in the conversation, and no answer came' };
}

const noProof: Cause = { code: 'no-proof', cause: 'no proof of it came while the agent rested' };
