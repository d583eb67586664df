// Tests: test/contracts/settling.test.ts, test/contracts/completions.test.ts.

import { signalbox } from '../agents/agent.ts';
import { nameFor } from '../agents/reference.ts';
import type { DebtEnd } from '../messages/debt.ts';
import type { Message, MessageDraft } from '../messages/message.ts';
import { createId } from '../shared/ids.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { endDebt } from './settle-debt.ts';

/**
 * Commits a bounce or notice about `message` to its sender, in the transaction that decided its
 * fate: a message is never dead without its sender's bounce on disk (O6). News about news is not
 * news, and a removed sender has no inbox. Returns the evidence that the sender was told, if it
 * was: the move that decides the message's fate carries it.
 */
export async function tellSender(
  tx: LedgerTransaction,
  now: number,
  message: Message,
  write: (message: Message, recipientName: string) => News,
): Promise<{ readonly evidence?: string }> {
  if (message.kind === 'bounce' || message.kind === 'notice') return {};
  const sender = await tx.agents.find(message.from);
  const isThere = sender !== undefined && sender.removedAt === undefined;
  const debt = message.kind === 'task' ? await tx.debts.find(message.id) : undefined;
  const end = ends[message.reason ?? ''] ?? 'dead';
  if (!isThere) {
    if (debt) await endDebt(tx, now, debt, end, undefined);
    return {};
  }
  const recipient = await tx.agents.find(message.to);
  const recipientName = recipient ? nameFor(sender, recipient) : message.to;
  const draft = write(message, recipientName);
  // The end of the agent has told it already; a bounce of an earlier try has not.
  const ending = debt?.endedBy === undefined ? undefined : await tx.messages.find(debt.endedBy);
  if (draft.kind === 'bounce' && ending?.kind === 'completion')
    return { evidence: `told the sender: ${ending.id}` };
  const cause = draft.kind === 'bounce' ? `bounce of ${message.id}` : `notice about ${message.id}`;
  const id = createId('msg', now);
  const row = { ...draft, from: signalbox.id, id, state: 'queued', createdAt: now, cause } as const;
  const [told] = await tx.messages.insert([row]);
  // A task that does not arrive is owed no longer; whoever waits for its answer hears of it
  // (rule 31).
  if (debt && draft.kind === 'bounce') await endDebt(tx, now, debt, end, told);
  return { evidence: `told the sender: ${id}` };
}

const ends: Readonly<Record<string, DebtEnd>> = {
  recipient_removed: 'removed',
  withdrawn: 'withdrawn',
};

/** A text of ours: nobody else is its sender. */
type News = Omit<MessageDraft, 'from'>;
