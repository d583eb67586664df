import type { Agent } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import { acknowledge } from '../delivery/acknowledge.ts';
import { Fault } from '../shared/fault.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { requireSelf } from './permissions.ts';
import { resolveMessage } from './resolve-message.ts';

/** Their recipient answers for messages by id: all of them, or none. */
export async function ack(
  tx: LedgerTransaction,
  now: number,
  caller: Agent,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly state: 'acked' }[]> {
  for (const id of ids) {
    const message = await resolveMessage(tx, id, caller);
    requireSelf(caller, message.to, 'ack a message');
    if (message.state === 'superseded') throw superseded(id);
  }
  await acknowledge(tx, now, ids, { code: 'acked', cause: `acked by ${callName(caller)}` });
  return ids.map((id) => ({ id, state: 'acked' as const }));
}

function superseded(id: string): Fault {
  return new Fault(
    'wrong-state',
    `${id} was superseded by a newer completion of the same child; there is nothing to ack.`,
    'Ack the newer one.',
  );
}
