// Tests: test/contracts/accept.test.ts.

import { type Agent, isUser } from '../agents/agent.ts';
import { comesBack, isAtWork } from '../agents/ending.ts';
import type { Message, MessageDraft } from '../messages/message.ts';
import type { Clock } from '../shared/clock.ts';
import { createId } from '../shared/ids.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import { acknowledge } from './acknowledge.ts';
import { noteReport } from './note-report.ts';
import { hearCreditor, keepOpen, settleByReply, waitsFor } from './settle-debt.ts';

export type Accepted =
  | {
      readonly outcome: 'accepted';
      readonly message: Message;
      /** Its recipient had ended by itself; this word brings it back. */
      readonly callsBack?: true;
    }
  | { readonly outcome: 'duplicate'; readonly message: Message }
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
  /** Of a task that would bring its recipient back: its parent has as many children as it may. */
  | { readonly outcome: 'no-room'; readonly children: readonly Agent[] }
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
  { breadth = Number.POSITIVE_INFINITY, keepWorker }: AcceptOptions = {},
): Promise<readonly Accepted[]> {
  return ledger.write(async (tx) => {
    const living = new Map<string, Living | undefined>();
    const findLiving = async (id: string): Promise<Living | undefined> => {
      if (!living.has(id)) living.set(id, await tx.agents.findLiving(id));
      return living.get(id);
    };
    const results: Accepted[] = [];
    for (const draft of drafts) {
      results.push(await acceptOne(tx, clock.now(), draft, { findLiving, breadth }));
    }
    const isAccepted = results.every(({ outcome }) => outcome === 'accepted');
    if (keepWorker !== undefined && isAccepted) await tx.agents.setEndsWith(keepWorker, undefined);
    return results;
  });
}

interface AcceptOptions {
  /** Running children that one agent may have: a task must not bring back one more. */
  readonly breadth?: number;
  /** A worker that does not end by itself any more, once all of it is accepted. */
  readonly keepWorker?: string | undefined;
}

type Living = Pick<Agent, 'endedBy'>;

interface AcceptMeans {
  readonly findLiving: (id: string) => Promise<Living | undefined>;
  readonly breadth: number;
}

async function acceptOne(
  tx: LedgerTransaction,
  now: number,
  draft: MessageDraft,
  { findLiving, breadth }: AcceptMeans,
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
  if (!(await findLiving(draft.from))) return { outcome: 'sender-gone' };
  const to = await findLiving(draft.to);
  if (!to) return { outcome: 'recipient-gone' };
  if (draft.kind === 'task') {
    const refused = await refuseEnded(tx, draft, breadth);
    if (refused) return refused;
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
  // In this transaction: a worker that ends at this moment either sees the message or comes back.
  const callsBack = comesBack(to) && (await tx.agents.callBack(draft.to, draft.from));
  return callsBack
    ? { outcome: 'accepted', message, callsBack: true }
    : { outcome: 'accepted', message };
}

/**
 * Nobody is there to answer a task. One that ended by itself comes back for its parent and for the
 * user, where there is room for it; for anybody else it is gone, from the moment that its end was
 * noted.
 */
async function refuseEnded(
  tx: LedgerTransaction,
  { from, to }: MessageDraft,
  breadth: number,
): Promise<Accepted | undefined> {
  const worker = await tx.agents.find(to);
  if (!worker) return undefined;
  const { status, detail, parent } = worker;
  const isBack = comesBack(worker);
  if (status !== 'exited' && !isBack) return undefined;
  if (!isBack || !(isUser({ id: from }) || parent === from)) {
    return { outcome: 'recipient-exited', ...(detail === undefined ? {} : { detail }) };
  }
  if (isUser({ id: from }) || breadth === Number.POSITIVE_INFINITY) return undefined;
  const children = (await tx.agents.listChildren(from)).filter(
    (child) => child.id !== to && isAtWork(child),
  );
  return children.length >= breadth ? { outcome: 'no-room', children } : undefined;
}
