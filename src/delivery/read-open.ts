// Tests: src/delivery/read-open.test.ts, src/delivery/remind.test.ts.

import type { Claim } from '../messages/claim.ts';
import type { Message } from '../messages/message.ts';
import type { AttemptTrace } from '../providers/way-in.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { DeliveryParts } from './parts.ts';
import type { Recipient } from './recipient.ts';
import { findText } from './rewrite-attempt.ts';

/** An attempt whose fate is open. */
export interface OpenAttempt {
  readonly claim: Claim;
  /** It was made into the life that runs now. */
  readonly isLive: boolean;
  /** Or into an earlier one, whose conversation this life goes on with. */
  readonly isResumed: boolean;
  readonly isUncertain: boolean;
  readonly trace: AttemptTrace;
  readonly messages: readonly Message[];
}

/** Those that evidence can decide, in order. One read. */
export function readOpen(
  parts: Pick<DeliveryParts, 'ledger'>,
  recipient: Pick<Recipient, 'agent' | 'epoch'> & Partial<Pick<Recipient, 'ways'>>,
): Promise<readonly OpenAttempt[]> {
  return parts.ledger.read(async (tx) => {
    const open: OpenAttempt[] = [];
    const current = await tx.epochs.find(recipient.agent, recipient.epoch);
    for (const claim of await tx.claims.listUnproven(recipient.agent)) {
      const injected = await tx.claims.listCarried(claim, 'injected');
      const uncertain = await tx.claims.listCarried(claim, 'uncertain');
      // Without proof to be had, `injected` is the end (rule 8).
      const messages = claim.provable ? [...injected, ...uncertain] : uncertain;
      const followed = messages.filter((message) => !isAwaitingHandOut(message));
      if (followed.length === 0) continue;
      const isLive = claim.epoch === recipient.epoch;
      const traced = await traceOf(tx, recipient, claim);
      // Its words are compared with what the CLI has on record.
      const { ways } = recipient;
      const text = ways && claim.route === 'paste' ? await findText(tx, claim, ways) : undefined;
      const trace = { ...traced, ...(text === undefined ? {} : { text }) };
      const isUncertain = followed.some(({ state }) => state === 'uncertain');
      // A CLI that does not name its conversations is taken at its word.
      const isResumed =
        trace.conversation === undefined || trace.conversation === current?.conversation;
      open.push({ claim, isLive, isResumed, isUncertain, trace, messages: followed });
    }
    return open;
  });
}

/** A pointer whose text was read is not followed any more: its body is (rule 13). */
function isAwaitingHandOut(message: Message): boolean {
  return message.state === 'injected' && message.inContext === true;
}

/** Of an attempt into this life of its recipient, or into an earlier one. */
export async function traceOf(
  tx: LedgerTransaction,
  { agent, epoch }: Pick<Recipient, 'agent' | 'epoch'>,
  claim: Claim,
): Promise<AttemptTrace> {
  const life = await tx.epochs.find(agent, claim.epoch);
  const isAlive = claim.epoch === epoch;
  return { ...toTrace(claim), isAlive, conversation: life?.conversation };
}

export function toTrace(claim: Claim): AttemptTrace {
  const { mark, route, at, receipt, isSubmitted, isAltered } = claim;
  return {
    mark,
    route,
    at,
    isSubmitted,
    isAlive: true,
    conversation: undefined,
    ...(receipt === undefined ? {} : { receipt }),
    ...(isAltered ? { isAltered } : {}),
  };
}
