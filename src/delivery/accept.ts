// Tests: test/contracts/accept.test.ts.

import type { Message, MessageDraft } from '../messages/message.ts';
import type { Clock } from '../shared/clock.ts';
import { createId } from '../shared/ids.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import { acknowledge } from './acknowledge.ts';
import { noteReport } from './note-report.ts';
import { hearCreditor, keepOpen, settleByReply, waitsFor } from './settle-debt.ts';

export type Accepted =
  | { readonly outcome: 'accepted' | 'duplicate'; readonly message: Message }
  | { readonly outcome: 'key-conflict'; readonly existing: Message }
  | { readonly outcome: 'recipient-gone' | 'sender-gone' }
  /**
   * Of a task: nobody is there to answer it, and whoever gave it would wait for ever (rules 31,
   * 48).
   */
  | { readonly outcome: 'recipient-exited'; readonly detail?: string }
  /**
   * Of a task: its recipient waits for the sender's own answer, and two that wait for each other
   * wait for ever.
   */
  | { readonly outcome: 'recipient-waits' }
  | { readonly outcome: 'reply-unknown' | 'reply-not-yours'; readonly id: string };

/**
 * Commits messages: when this returns, what it calls accepted is on disk. Several at once share one
 * fsync, and each has an outcome of its own. A key makes a send repeatable: after a crash between
 * commit and answer the sender asks again and is told `duplicate` (rule 33).
 */
export function accept(
  ledger: Ledger,
  clock: Clock,
  drafts: readonly MessageDraft[],
): Promise<readonly Accepted[]> {
  return ledger.write(async (tx) => {
    const living = new Map<string, boolean>();
    const isLiving = async (id: string): Promise<boolean> => {
      let known = living.get(id);
      if (known === undefined) {
        known = await tx.agents.isLiving(id);
        living.set(id, known);
      }
      return known;
    };
    const results: Accepted[] = [];
    for (const draft of drafts) results.push(await acceptOne(tx, clock.now(), draft, isLiving));
    return results;
  });
}

async function acceptOne(
  tx: LedgerTransaction,
  now: number,
  draft: MessageDraft,
  isLiving: (id: string) => Promise<boolean>,
): Promise<Accepted> {
  if (draft.key !== undefined) {
    const existing = await tx.messages.findByKey(draft.from, draft.key);
    if (existing) {
      const same = existing.to === draft.to && existing.body === draft.body;
      return same
        ? { outcome: 'duplicate', message: existing }
        : { outcome: 'key-conflict', existing };
    }
  }
  if (!(await isLiving(draft.from))) return { outcome: 'sender-gone' };
  if (!(await isLiving(draft.to))) return { outcome: 'recipient-gone' };
  if (draft.kind === 'task') {
    const { status, detail } = (await tx.agents.find(draft.to)) ?? {};
    if (status === 'exited')
      return { outcome: 'recipient-exited', ...(detail === undefined ? {} : { detail }) };
    if (await waitsFor(tx, draft.to, draft.from)) return { outcome: 'recipient-waits' };
  }
  const answered: Message[] = [];
  for (const id of draft.replyTo ?? []) {
    const original = await tx.messages.find(id);
    if (!original) return { outcome: 'reply-unknown', id };
    if (original.to !== draft.from && original.from !== draft.from)
      return { outcome: 'reply-not-yours', id };
    // Telling somebody else about it is no answer.
    if (original.to === draft.from && original.from === draft.to) answered.push(original);
  }
  const [message] = await tx.messages.insert([
    {
      // In this order: fields that follow a spread and are new to the object cost V8 3.4 µs, a
      // sixth of a send in a batch.
      id: createId('msg', now),
      state: 'queued',
      createdAt: now,
      cause: 'accepted',
      ...draft,
      answersTask: answered.some((original) => original.kind === 'task'),
    },
  ]);
  if (!message) throw new Error('the store returned no message for an insert');
  if (message.kind === 'task') {
    const { id: task, to: debtor, from: creditor } = message;
    await tx.debts.insert({ task, debtor, creditor, givenAt: now });
  }
  if (draft.isQuestion) await keepOpen(tx, message, answered);
  else await settleByReply(tx, now, message, answered);
  // An answer to one task is no report on another.
  if (draft.isQuestion || !message.answersTask) await noteReport(tx, now, message);
  await hearCreditor(tx, message);
  if (answered.length > 0) {
    const ids = answered.map((original) => original.id);
    await acknowledge(tx, now, ids, { code: 'answered', cause: `answered by ${message.id}` });
  }
  return { outcome: 'accepted', message };
}
