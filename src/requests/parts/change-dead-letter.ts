import type { Caller } from '../../agents/caller.ts';
import { requireUser } from '../../fleet/permissions.ts';
import { resolveMessage } from '../../fleet/resolve-message.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import type { Message } from '../../messages/message.ts';
import type { MessageView } from '../../protocol/messages.ts';
import { viewMessage } from '../../protocol/views.ts';
import { Fault } from '../../shared/fault.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { Context } from '../context.ts';

export interface Change {
  readonly id: string;
  /** What only the user may do. */
  readonly what: string;
  apply(tx: LedgerTransaction, now: number, message: Message): Promise<void>;
}

/** What retrying and discarding a dead letter have in common. */
export async function changeDeadLetter(
  context: Context,
  { agent }: Caller,
  { id: reference, what, apply }: Change,
): Promise<MessageView> {
  const { ledger, surroundings } = context;
  requireUser(agent, what);
  const { id, to } = await ledger.read((tx) => resolveMessage(tx, reference, agent));
  await settleInboxes(context, [{ id: to }]);
  return ledger.write(async (tx) => {
    await apply(tx, surroundings.clock.now(), await resolveMessage(tx, id, agent));
    return viewMessage(tx, await resolveMessage(tx, id, agent));
  });
}

export function notDead({ id, state }: Message): Fault {
  return new Fault(
    'wrong-state',
    `${id} is ${state}, not dead or expired.`,
    `See \`signalbox explain ${id}\`.`,
  );
}
