import { type Agent, isUser } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';
import { type Withdrawn, withdrawOrRelease, withdrawQueued } from '../delivery/withdraw.ts';
import { resolveMessage } from '../fleet/resolve-message.ts';
import { settleInboxes } from '../fleet/settle-inboxes.ts';
import type { Message } from '../messages/message.ts';
import { shortIdIn } from '../messages/short-id.ts';
import type { CancelView } from '../protocol/messages.ts';
import { viewMessage } from '../protocol/views.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { Fault } from '../shared/fault.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';

/**
 * Takes a message back: for its sender, and for the user whose agents they all are. What is queued
 * is dead at once; what a CLI keeps in a queue of its own comes back where that CLI can give it
 * back; of a task that is beyond that the answer is owed no longer. All else is refused.
 */
export const cancel = defineRequest(
  async (context: Context, caller, wish: { readonly id: string }): Promise<CancelView> => {
    const { ledger } = context;
    const { agent } = caller;
    const { id, to } = await ledger.read(async (tx) => {
      const message = await resolveMessage(tx, wish.id, agent);
      requireSender(agent, message);
      requireLetter(message);
      return message;
    });
    await settleInboxes(context, [{ id: to }]);
    await reachFailPoint('cancel.found');
    const done = await takeBack(context, id, to, agent);
    const view = await ledger.read(async (tx) => viewDone(tx, id, done));
    const recipient = await ledger.read((tx) => tx.agents.find(to));
    if (recipient && done.outcome !== 'already') await context.committed(recipient);
    return view;
  },
);

async function takeBack(
  context: Context,
  id: string,
  to: string,
  by: Agent,
): Promise<Exclude<Withdrawn, { outcome: 'too-late' }>> {
  const { ledger, surroundings, live } = context;
  const now = (): number => surroundings.clock.now();
  const queued = await ledger.write((tx) => withdrawQueued(tx, now(), id, by));
  if (queued.outcome !== 'too-late') return queued;
  if (await live?.delivery.takeFromQueue(to, id, by)) {
    return { outcome: 'withdrawn', mayHaveBeenRead: false };
  }
  await reachFailPoint('cancel.asked');
  // It may have come back by itself meanwhile, proven not landed.
  const done = await ledger.write((tx) => withdrawOrRelease(tx, now(), id, by));
  if (done.outcome !== 'too-late') return done;
  throw await ledger.read((tx) => tooLate(tx, done.message));
}

async function viewDone(
  tx: LedgerTransaction,
  id: string,
  done: Exclude<Withdrawn, { outcome: 'too-late' }>,
): Promise<CancelView> {
  const message = await tx.messages.find(id);
  if (!message) throw new Error('it was found before');
  const more = {
    ...(done.outcome === 'withdrawn' && done.mayHaveBeenRead
      ? { mayHaveBeenRead: true as const }
      : {}),
    ...(done.outcome === 'released' ? { toldBy: done.toldBy } : {}),
  };
  return { outcome: done.outcome, ...more, message: await viewMessage(tx, message) };
}

/** An agent takes back its own words; the user everybody's, whose agents they are. */
function requireSender(caller: Agent, message: Message): void {
  if (isUser(caller) || message.from === caller.id) return;
  throw new Fault(
    'not-allowed',
    `${message.id} is not from you ("${callName(caller)}"): only its sender or the user may cancel it.`,
    'Ask its sender, or the user.',
  );
}

/** What signalbox and the ends of turns say stays: it is what happened. */
function requireLetter({ id, kind }: Message): void {
  if (kind === 'message' || kind === 'task') return;
  throw new Fault(
    'not-allowed',
    `${id} is a ${kind}: only messages and tasks can be cancelled.`,
    `\`signalbox inbox ack ${id}\` takes it out of the inbox.`,
  );
}

async function tooLate(tx: LedgerTransaction, message: Message): Promise<Fault> {
  const { id, state, to } = message;
  const recipient = await tx.agents.find(to);
  const name = shortIdIn(recipient?.name ?? to, message);
  return new Fault(
    'too-late',
    `${name} cannot be taken back: it is ${describe(state)}.`,
    state === 'seen' || state === 'acked'
      ? `Send another message; \`signalbox explain ${id}\` says when it was read.`
      : `See \`signalbox explain ${id}\`.`,
  );
}

function describe(state: Message['state']): string {
  return says[state] ?? state;
}

const says: Readonly<Partial<Record<Message['state'], string>>> = {
  claimed: 'claimed, on its way in at this moment',
  injected: 'injected, and its recipient cannot give it back',
  uncertain: 'uncertain, and may have been read',
  seen: 'seen, the model has read it',
  acked: 'acked, it was read',
};
