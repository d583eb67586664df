import type { Agent } from '../../agents/agent.ts';
import { deadLetterQuery } from '../../delivery/dead-letters.ts';
import { createHold, handOut, noteArrived } from '../../delivery/hand-out.ts';
import { chooseLetter, type Letter, sendOut } from '../../delivery/letter.ts';
import { listBegun } from '../../delivery/list-begun.ts';
import { ack as ackAll } from '../../fleet/ack.ts';
import { isRunning } from '../../fleet/is-running.ts';
import { requireParty, requireSelf } from '../../fleet/permissions.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { resolveMessage } from '../../fleet/resolve-message.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import type { MessageState } from '../../messages/message.ts';
import { cutParts } from '../../messages/parts.ts';
import type { InboxList, MessageView, PartView } from '../../protocol/messages.ts';
import { viewList, viewMessage, viewMessages } from '../../protocol/views.ts';
import type { Drain, InboxQuery, Shown, ShowWish, WantedDrain } from '../client.ts';
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

/**
 * The same for whoever prints it: to its recipient's own terminal that hands out the body of a
 * pointer (rule 13).
 */
export async function showOut(
  context: Context,
  id: string,
  { part, inParts }: ShowWish,
): Promise<Shown> {
  const { ledger, surroundings, caller } = context;
  const { epoch } = caller;
  await settleInboxOf(context, id);
  const { message, letter, isOpen } = await ledger.read(async (tx) => {
    const found = await resolveMessage(tx, id);
    const isOwn = found.to === caller.id && (await isRunning(tx, caller));
    const begun = isOwn ? await listBegun(tx, caller.id, epoch) : [];
    const isOpen = begun.some(({ messageId }) => messageId === found.id);
    const isLong = isOwn && inParts && cutParts(found.body).length > 1;
    const number = part ?? (isLong ? 1 : undefined);
    const wish = { epoch, inParts: false, isClaimed: !isOpen };
    const one = number === undefined ? wish : { ...wish, part: number };
    const whole = { ...found, covers: [], of: 1 };
    const letter: Letter = (await chooseLetter(tx, surroundings, found, one)) ?? whole;
    const { mayRepeat } = isOpen ? letter : found;
    return { message: await viewMessage(tx, { ...letter, mayRepeat }), letter, isOpen };
  });
  if (isOpen) {
    const hold = createHold(surroundings);
    await ledger.write((tx) => sendOut(tx, letter, epoch, hold));
  }
  const to = { epoch, isInTerminal: true, cause: 'shown' };
  return {
    message: { ...message, ...(letter.part ? { part: letter.part } : {}) },
    finish: async () => {
      if (isOpen) await noteArrived(ledger, surroundings, [letter], to);
    },
  };
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
  { max, inParts = false }: WantedDrain,
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
    isOwn,
    // Whoever is no model in a terminal of ours reads any length at once.
    inParts: inParts && isInTerminal,
  });
  const rest = await ledger.read(async (tx) => ({
    messages: addParts(await viewMessages(tx, handed.messages), handed.messages),
    deadLetters: await tx.messages.count({ ...deadLetterQuery, to: agent.id, limit: 0 }),
  }));
  return {
    ...rest,
    remaining: handed.remaining,
    finish: async () => {
      await handed.finish();
      context.hasWritten ||= handed.messages.length > 0;
    },
    lose: handed.lose,
  };
}

function addParts(views: readonly MessageView[], letters: readonly Letter[]): readonly PartView[] {
  return views.map((view, i) => {
    const part = letters[i]?.part;
    return part === undefined ? view : { ...view, part };
  });
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
