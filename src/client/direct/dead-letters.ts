import { isUser } from '../../agents/agent.ts';
import { deadLetterQuery, discard, retry } from '../../delivery/dead-letters.ts';
import { requireUser } from '../../fleet/permissions.ts';
import { resolveMessage } from '../../fleet/resolve-message.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import type { Message } from '../../messages/message.ts';
import type { InboxList, MessageView } from '../../protocol/messages.ts';
import { viewList, viewMessage } from '../../protocol/views.ts';
import { Fault } from '../../shared/fault.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import { type Context, tellOf } from './context.ts';

export async function listDeadLetters(
  context: Context,
  { max }: { max: number },
): Promise<InboxList> {
  const { ledger, caller } = context;
  await settleInboxes(context, await ledger.read((tx) => tx.agents.list()));
  const party = isUser(caller) ? {} : { party: caller.id };
  return ledger.read((tx) => viewList(tx, { ...deadLetterQuery, ...party, limit: max }));
}

export async function retryDeadLetter(context: Context, id: string): Promise<MessageView> {
  const retried = await change(context, id, 'retry a dead letter', async (tx, now, message) => {
    const outcome = await retry(tx, now, message);
    if (outcome === 'wrong-state') throw notDead(message);
    if (outcome !== 'recipient-gone') return;
    throw new Fault(
      'not-allowed',
      `${id} cannot be retried: its recipient has been removed.`,
      'Send its body to another agent (`signalbox inbox show`), then discard it.',
    );
  });
  const recipient = await context.ledger.read((tx) => tx.agents.find(retried.to.id));
  if (recipient) tellOf(context, recipient);
  return retried;
}

export function discardDeadLetter(context: Context, id: string): Promise<MessageView> {
  return change(context, id, 'discard a dead letter', async (tx, now, message) => {
    if ((await discard(tx, now, message)) === 'wrong-state') throw notDead(message);
  });
}

async function change(
  context: Context,
  id: string,
  what: string,
  apply: (tx: LedgerTransaction, now: number, message: Message) => Promise<void>,
): Promise<MessageView> {
  const { ledger, surroundings } = context;
  requireUser(context.caller, what);
  const { to } = await ledger.read((tx) => resolveMessage(tx, id));
  await settleInboxes(context, [{ id: to }]);
  return ledger.write(async (tx) => {
    await apply(tx, surroundings.clock.now(), await resolveMessage(tx, id));
    return viewMessage(tx, await resolveMessage(tx, id));
  });
}

function notDead({ id, state }: Message): Fault {
  return new Fault(
    'wrong-state',
    `${id} is ${state}, not dead or expired.`,
    `See \`signalbox explain ${id}\`.`,
  );
}
