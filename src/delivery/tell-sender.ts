import type { Message, MessageDraft } from '../messages/message.ts';
import { createId } from '../shared/ids.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * Commits a bounce or notice about `message` to its sender, in the transaction that decided its fate: a message is never
 * dead without its sender's bounce on disk (O6). News about news is not news, and a removed sender has no inbox. Returns the
 * evidence that the sender was told, if it was: the move that decides the message's fate carries it.
 */
export async function tellSender(
  tx: LedgerTransaction,
  now: number,
  message: Message,
  write: (message: Message, recipientName: string) => MessageDraft,
): Promise<{ readonly evidence?: string }> {
  if (message.kind === 'bounce' || message.kind === 'notice') return {};
  const sender = await tx.agents.find(message.from);
  if (!sender || sender.removedAt !== undefined) return {};
  const recipientName = (await tx.agents.find(message.to))?.name ?? message.to;
  const draft = write(message, recipientName);
  const cause = draft.kind === 'bounce' ? `bounce of ${message.id}` : `notice about ${message.id}`;
  const id = createId('msg', now);
  await tx.messages.insert([{ ...draft, id, state: 'queued', createdAt: now, cause }]);
  return { evidence: `told the sender: ${id}` };
}
