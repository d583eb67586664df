import type { Message } from '../messages/message.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

export async function resolveMessage(tx: LedgerTransaction, id: string): Promise<Message> {
  const message = await tx.messages.find(id);
  if (message) return message;
  throw new Fault(
    'message-not-found',
    `No message ${quote(id)}.`,
    'Ids begin with msg_; settled messages are forgotten after the retention (`signalbox config get retention`).',
  );
}
