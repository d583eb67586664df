import type { Message, MessageDraft } from '../messages/message.ts';
import { createId } from '../shared/ids.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * Commits a bounce or notice about `message` to its sender, in the transaction that decided its fate: a message is never
 * dead without its sender's bounce on disk (O6). News about news is not news, and a removed sender has no inbox. Returns the
 * id of what was written, if anything was: that is the evidence that the sender was told.
 */
export async function tellSender(
  tx: LedgerTransaction,
  now: number,
  message: Message,
  write: (message: Message, recipientName: string) => MessageDraft,
): Promise<string | undefined> {
  if (message.kind === 'bounce' || message.kind === 'notice') return undefined;
  const sender = await tx.agents.find(message.from);
  if (!sender || sender.removedAt !== undefined) return undefined;
  const recipientName = (await tx.agents.find(message.to))?.name ?? message.to;
  const draft = write(message, recipientName);
  const cause = draft.kind === 'bounce' ? `bounce of ${message.id}` : `notice about ${message.id}`;
  const id = createId('msg', now);
  await tx.messages.insert([{ ...draft, id, state: 'queued', createdAt: now, cause }]);
  return id;
}
