// Tests: test/contracts/hand-out.test.ts.

import type { Message } from '../messages/message.ts';
import type { HandedPart } from '../messages/part-store.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { acknowledge, releaseFromClaim } from './acknowledge.ts';
import type { DeliveryParts } from './parts.ts';

/**
 * The model went on after it had been handed bodies in its own terminal: what it took itself is
 * `acked` (rule 17), and a pointer whose body it asked for is `seen` (rule 13). `isTaken`: a call
 * of it shows that only for what was handed out on the same line; of what a command printed, for
 * all. Without it the model has gone on, whatever the way.
 */
export async function settleHandedOut(
  { ledger, surroundings }: Pick<DeliveryParts, 'ledger' | 'surroundings'>,
  agent: string,
  isTaken: Taken = () => true,
): Promise<number> {
  const found = await ledger.read((tx) => findHandedOut(tx, agent, isTaken));
  if (found.length === 0) return 0;
  const at = surroundings.clock.now();
  return ledger.write(async (tx) => {
    for (const { message, how, parts } of await findHandedOut(tx, agent, isTaken)) {
      for (const { line: _, ...part } of parts) await tx.parts.put(part);
      if (how === 'part') continue;
      if (how === 'torn') {
        await offerParts(tx, message, isTaken);
        continue;
      }
      if (how === 'pulled') {
        const why = { code: 'went-on', cause: 'taken by the agent, whose model went on' } as const;
        await acknowledge(tx, at, [message.id], why);
        continue;
      }
      const cause = 'read by the model: its body was handed out, and output followed';
      const set = { inContext: true, reason: null } as const;
      const moved = await tx.messages.move([message.id], {
        from: 'injected',
        to: 'seen',
        at,
        code: 'output-followed',
        cause,
        set,
      });
      if (moved.length > 0) await releaseFromClaim(tx, at, message, 'seen');
    }
    return found.length;
  });
}

/**
 * Its last part was read, and nobody knows that of all the others: those are handed out once more,
 * marked.
 */
async function offerParts(tx: LedgerTransaction, { id, token }: Message, isTaken: Taken) {
  for (const { line, ...part } of await tx.parts.list(id)) {
    const isOpen = part.state === 'handed' && line !== undefined && !isTaken(line);
    if (isOpen) await tx.parts.put({ ...part, state: 'uncertain' });
  }
  if (token !== undefined) await tx.claims.setHandedOut(id, token, undefined);
}

/** Whether what this call handed out was read; undefined where a command printed it. */
export type Taken = (line: string | undefined) => boolean;

/**
 * A call of an agent that is no call of an MCP client: it speaks for what commands printed, and for
 * nothing else.
 */
export const byCommand: Taken = (line) => line === undefined;

interface HandedOut {
  readonly message: Message;
  /** `part`: its last part is not among what was read. `torn`: that one is, and another is not. */
  readonly how: 'pulled' | 'shown' | 'part' | 'torn';
  /** Parts of it that were read. */
  readonly parts: readonly HandedPart[];
}

async function findHandedOut(
  tx: LedgerTransaction,
  agent: string,
  isTaken: Taken,
): Promise<readonly HandedOut[]> {
  const found: HandedOut[] = [];
  const now = (await tx.agents.find(agent))?.epoch;
  for (const { messageId, route, handedOutAt, epoch, line } of await tx.claims.listByHand(agent)) {
    // What an earlier life was given, this one may not know.
    if (epoch !== now) continue;
    const handed = (await tx.parts.list(messageId)).filter(
      (part) => part.epoch === now && part.state === 'handed' && part.line !== undefined,
    );
    const parts = handed.filter((part) => isTaken(part.line));
    // Of what was taken and not yet printed nobody knows whether it will be.
    const isLast = handedOutAt !== undefined && isTaken(line);
    if (!isLast && parts.length === 0) continue;
    const message = await tx.messages.find(messageId);
    const isTorn = parts.length < handed.length;
    const whole = route === 'pull' ? 'pulled' : 'shown';
    const how = !isLast ? 'part' : isTorn ? 'torn' : whole;
    if (message) found.push({ message, how, parts });
  }
  return found;
}
