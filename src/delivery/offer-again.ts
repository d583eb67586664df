// Tests: src/delivery/lose-handed-out.test.ts.

import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { DeliveryParts } from './parts.ts';
import type { Recipient } from './recipient.ts';
import { returnToQueue } from './return-to-queue.ts';

/**
 * The agent took messages itself, with a command that died before it had answered for them: nobody
 * knows whether it read them, and no record can tell. It may never ask again, so they are queued
 * again, marked (rule 10); a pull may be repeated without limit, and spends no re-offer. Only while
 * it rests: then no command of it runs. Says how many went back.
 */
export async function offerPulledAgain(
  { ledger, surroundings }: DeliveryParts,
  { agent, ways, view }: Recipient,
): Promise<number> {
  const hasOtherWay = ways.routes.some((route) => route !== 'pull');
  if (!hasOtherWay || view().atRestSince === undefined) return 0;
  if ((await ledger.read((tx) => listPulled(tx, agent))).length === 0) return 0;
  return ledger.write(async (tx) => {
    const pulled = await listPulled(tx, agent);
    const at = surroundings.clock.now();
    const why = {
      code: 'command-died',
      cause: 'the command that took it died; it may be a repeat',
    } as const;
    for (const message of pulled) {
      await returnToQueue(tx, at, message, why, { set: { mayRepeat: true } });
    }
    return pulled.length;
  });
}

async function listPulled(tx: LedgerTransaction, agent: string): Promise<readonly Message[]> {
  const uncertain = await tx.messages.list({ to: agent, states: ['uncertain'], limit: 100 });
  const pulled: Message[] = [];
  for (const message of uncertain) {
    const claim = message.token === undefined ? undefined : await tx.claims.find(message.token);
    if (claim?.route === 'pull') pulled.push(message);
  }
  return pulled;
}
