import type { Agent } from '../../agents/agent.ts';
import { deadLetterQuery } from '../../delivery/dead-letters.ts';
import { handOut, noteHandedOut } from '../../delivery/hand-out.ts';
import { ack as ackAll } from '../../fleet/ack.ts';
import { isRunning } from '../../fleet/is-running.ts';
import { requireParty, requireSelf } from '../../fleet/permissions.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { resolveMessage } from '../../fleet/resolve-message.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import type { Message, MessageState } from '../../messages/message.ts';
import type { InboxList, MessageView } from '../../protocol/messages.ts';
import { viewList, viewMessage, viewMessages } from '../../protocol/views.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { Drain, InboxQuery, Shown } from '../client.ts';
import type { Context } from './context.ts';

export async function listInbox(
  context: Context,
  reference: string | undefined,
  query: InboxQuery,
): Promise<InboxList> {
  const agent = await findOwner(context, reference, 'list the inbox');
  await settleInboxes(context, [agent]);
  return context.ledger.read(async (tx) => {
    const wanted = { to: agent.id, states: query.states, limit: query.max };
    return viewList(tx, wanted);
  });
}

export async function show(context: Context, id: string): Promise<MessageView> {
  await settleInboxOf(context, id);
  return context.ledger.read(async (tx) => viewMessage(tx, await resolveMessage(tx, id)));
}

/** The same for whoever prints it: to its recipient's own terminal that hands out the body of a pointer (rule 13). */
export async function showOut(context: Context, id: string): Promise<Shown> {
  const { ledger, surroundings, caller } = context;
  await settleInboxOf(context, id);
  return ledger.read(async (tx) => {
    const found = await resolveMessage(tx, id);
    const isOwn = found.to === caller.id && (await isRunning(tx, caller));
    const isPointer = isOwn && (await isOpenPointer(tx, found));
    return {
      message: await viewMessage(tx, found),
      isOwn,
      finish: async () => {
        if (isPointer) await noteHandedOut(ledger, surroundings, [found]);
      },
    };
  });
}

async function isOpenPointer(tx: LedgerTransaction, { id, to }: Message): Promise<boolean> {
  const open = await tx.claims.listByHand(to);
  return open.some(
    ({ messageId, isPointer, handedOutAt }) =>
      messageId === id && isPointer && handedOutAt === undefined,
  );
}

/** Looks whether the caller may see the message, and settles what is due in its inbox first. */
export async function settleInboxOf(context: Context, id: string): Promise<void> {
  const to = await context.ledger.read(async (tx) => {
    const message = await resolveMessage(tx, id);
    requireParty(context.caller, message);
    return message.to;
  });
  await settleInboxes(context, [{ id: to }]);
}

export async function drain(
  context: Context,
  reference: string | undefined,
  max: number | undefined,
): Promise<Drain> {
  const { ledger, surroundings, caller } = context;
  const agent = await findOwner(context, reference, 'drain the inbox');
  await settleInboxes(context, [agent]);
  const isOwn = caller.id === agent.id;
  const isInTerminal = isOwn && (await ledger.read((tx) => isRunning(tx, agent)));
  const handed = await handOut(ledger, surroundings, {
    recipient: agent.id,
    epoch: agent.epoch,
    max,
    by: isOwn ? agent.name : `${caller.name} for ${agent.name}`,
    isInTerminal,
  });
  const rest = await ledger.read(async (tx) => ({
    messages: await viewMessages(tx, handed.messages),
    deadLetters: await tx.messages.count({ ...deadLetterQuery, to: agent.id, limit: 0 }),
  }));
  return {
    ...rest,
    remaining: handed.remaining,
    isInTerminal,
    finish: async (partly) => {
      await handed.finish(partly);
      context.hasWritten ||= handed.messages.length > 0;
    },
    lose: handed.lose,
  };
}

export async function ack(
  context: Context,
  ids: readonly string[],
): Promise<readonly { id: string; state: MessageState }[]> {
  const { ledger, surroundings, caller } = context;
  for (const id of ids) await settleInboxOf(context, id);
  return ledger.write((tx) => ackAll(tx, surroundings.clock.now(), caller, ids));
}

async function findOwner(
  { ledger, caller }: Context,
  reference: string | undefined,
  what: string,
): Promise<Agent> {
  const agent = await ledger.read((tx) => resolveAgent(tx, reference ?? 'self', caller));
  requireSelf(caller, agent.id, what);
  return agent;
}
