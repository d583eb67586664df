// Tests: src/delivery/leave-unconfirmed.test.ts, test/contracts/unconfirmed.test.ts.

import type { Message, MessageState } from '../messages/message.ts';
import { Fault } from '../shared/fault.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/** What a sender can wait for; each includes what follows it. */
export const awaitable = ['injected', 'seen', 'acked'] as const;
export type Awaitable = (typeof awaitable)[number];

/**
 * Whether a message has come as far as its sender waits for. Throws when it never will, so that
 * nobody waits in vain.
 */
export async function hasReached(
  tx: LedgerTransaction,
  message: Message,
  wanted: Awaitable,
): Promise<boolean> {
  const { state } = message;
  if (isAtLeast(state, wanted)) return true;
  const why = await findObstacle(tx, message, wanted);
  if (why === undefined) return false;
  throw new Fault(
    'undeliverable',
    `${message.id} is ${state} and will not be ${wanted}: ${why}.`,
    `See \`signalbox explain ${message.id}\`. It was accepted: do not send it again unread.`,
  );
}

function isAtLeast(state: MessageState, wanted: Awaitable): boolean {
  const reached = (awaitable as readonly string[]).indexOf(state);
  return reached >= awaitable.indexOf(wanted);
}

async function findObstacle(
  tx: LedgerTransaction,
  { id, state, reason, token }: Message,
  wanted: Awaitable,
): Promise<string | undefined> {
  switch (state) {
    case 'dead':
      // It had been delivered, and a person at the terminal broke it off or deleted it (rule 51d).
      if (reason === 'withdrawn') return 'it was taken back at the terminal';
      return `it could not be delivered (${reason ?? 'no reason was recorded'})`;
    case 'expired':
      return 'its time to live passed';
    case 'superseded':
      return 'a newer completion of the same child took its place';
    case 'injected': {
      // Rule 8: sent, unconfirmed, is the end. An ack by its recipient is still possible.
      const claim = wanted === 'seen' && token !== undefined && (await tx.claims.find(token));
      if (!claim || claim.provable) return undefined;
      const last = (await tx.messages.history(id)).at(-1);
      return last?.code === 'unconfirmed'
        ? `it was sent, unconfirmed: ${last.evidence}`
        : `the ${claim.route} route into this agent can give no proof; it was sent, unconfirmed`;
    }
    default:
      return undefined;
  }
}
