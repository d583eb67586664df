// Tests: src/delivery/take-from-queue.test.ts.

import type { Agent } from '../agents/agent.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { DeliveryParts } from './parts.ts';
import { type OpenAttempt, readOpen } from './read-open.ts';
import type { Recipient } from './recipient.ts';
import { resolve } from './resolve.ts';
import { withdrawFromCli } from './settle-attempt.ts';
import { takeDown } from './withdraw.ts';

/** Somebody takes a message back that its recipient's CLI may still hold in a queue of its own. */
export interface Taking {
  readonly message: string;
  readonly by: Agent;
  done(isBack: boolean): void;
  fail(error: unknown): void;
}

export async function takeAllFromQueue(
  parts: DeliveryParts,
  recipient: Recipient,
  takings: Taking[],
): Promise<void> {
  for (const taking of takings.splice(0)) {
    try {
      taking.done(await takeFromQueue(parts, recipient, taking));
    } catch (error) {
      // Whoever asked is told.
      reportBug("taking a message back from a CLI's queue", error);
      taking.fail(error);
    }
  }
}

/**
 * Only the CLI's own word that it is gone counts. What went in with it comes back as well, proven
 * not landed, and is queued again. Killed between its word and ours, the next daemon finds the
 * attempt gone without a trace, which is the same proof: then the message is queued once more, and
 * can be taken back there.
 */
async function takeFromQueue(
  parts: DeliveryParts,
  recipient: Recipient,
  { message, by }: Pick<Taking, 'message' | 'by'>,
): Promise<boolean> {
  const open = await readOpen(parts, recipient);
  const item = open.find(({ messages }) => messages.some(({ id }) => id === message));
  if (!item?.isLive || !(await withdrawFromCli(parts, recipient, item.trace))) return false;
  await reachFailPoint('cancel.given-back');
  return await parts.ledger.write((tx) => takeDownOf(tx, parts, item, { message, by }));
}

async function takeDownOf(
  tx: LedgerTransaction,
  { surroundings }: DeliveryParts,
  { claim, messages }: OpenAttempt,
  { message, by }: Pick<Taking, 'message' | 'by'>,
): Promise<boolean> {
  const at = surroundings.clock.now();
  let isDown = false;
  for (const { id } of messages) {
    const found = await tx.messages.find(id);
    if (found?.token !== claim.token) continue;
    if (found.state !== 'injected' && found.state !== 'uncertain') continue;
    if (id === message) {
      // Before its sender is told: what is said about this attempt is known.
      await tx.claims.setOutcome([id], claim.token, 'not-landed');
      await takeDown(tx, at, found, by);
      await tx.claims.setOutcome([id], claim.token, 'not-landed');
      isDown = true;
    } else await resolve(tx, at, found, 'withdrawn', 'it was given back with another message');
  }
  return isDown;
}
