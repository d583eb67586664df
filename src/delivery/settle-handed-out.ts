import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { acknowledge, releaseFromClaim } from './acknowledge.ts';
import type { DeliveryParts } from './parts.ts';

/**
 * The model went on after it had been handed bodies by a command in its own terminal: what it took itself is `acked`
 * (rule 17), and a pointer whose body it asked for is `seen` (rule 13).
 */
export async function settleHandedOut(
  { ledger, surroundings }: Pick<DeliveryParts, 'ledger' | 'surroundings'>,
  agent: string,
): Promise<number> {
  const found = await ledger.read((tx) => findHandedOut(tx, agent));
  if (found.length === 0) return 0;
  const at = surroundings.clock.now();
  return ledger.write(async (tx) => {
    for (const { message, how } of await findHandedOut(tx, agent)) {
      if (how === 'pulled') {
        await acknowledge(tx, at, [message.id], 'taken by the agent, whose model went on');
        continue;
      }
      const cause = 'read by the model: its body was handed out, and output followed';
      const set = { inContext: true, reason: null } as const;
      const moved = await tx.messages.move([message.id], {
        from: 'injected',
        to: 'seen',
        at,
        cause,
        set,
      });
      if (moved.length > 0) await releaseFromClaim(tx, at, message, 'seen');
    }
    return found.length;
  });
}

interface HandedOut {
  readonly message: Message;
  readonly how: 'pulled' | 'shown';
}

async function findHandedOut(tx: LedgerTransaction, agent: string): Promise<readonly HandedOut[]> {
  const found: HandedOut[] = [];
  const now = (await tx.agents.find(agent))?.epoch;
  for (const { messageId, route, handedOutAt, epoch } of await tx.claims.listByHand(agent)) {
    // Of what was taken and not yet printed nobody knows whether it will be; what an earlier life was given, this one may not know.
    if (handedOutAt === undefined || epoch !== now) continue;
    const message = await tx.messages.find(messageId);
    if (message) found.push({ message, how: route === 'pull' ? 'pulled' : 'shown' });
  }
  return found;
}
