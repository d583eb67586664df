import type { Agent } from '../../agents/agent.ts';
import { acknowledge } from '../../delivery/acknowledge.ts';
import { deadLetterQuery } from '../../delivery/dead-letters.ts';
import { drainBound, pull } from '../../delivery/routes/pull.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import type { MessageState } from '../../messages/message.ts';
import type { Explanation, InboxList, MessageView } from '../../protocol/messages.ts';
import { toIso, viewList, viewMessage, viewMessages } from '../../protocol/views.ts';
import { Fault } from '../../shared/fault.ts';
import type { Drain, InboxQuery } from '../client.ts';
import { type Context, requireParty, requireSelf, resolveMessage } from './context.ts';
import { settleInboxes } from './settle.ts';

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

/** Looks whether the caller may see the message, and settles what is due in its inbox first. */
async function settleInboxOf(context: Context, id: string): Promise<void> {
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
  const { ledger, surroundings } = context;
  const agent = await findOwner(context, reference, 'drain the inbox');
  await settleInboxes(context, [agent]);
  const handed = await pull(ledger, surroundings, {
    recipient: agent.id,
    epoch: agent.epoch,
    count: Math.min(max ?? drainBound.count, drainBound.count),
    bytes: drainBound.bytes,
    by: context.caller.id === agent.id ? agent.name : `${context.caller.name} for ${agent.name}`,
  });
  const rest = await ledger.read(async (tx) => {
    const { queued = 0, uncertain = 0 } = await tx.messages.countByState(agent.id);
    return {
      messages: await viewMessages(tx, handed.messages),
      remaining: queued + uncertain,
      deadLetters: await tx.messages.count({ ...deadLetterQuery, to: agent.id, limit: 0 }),
    };
  });
  return {
    ...rest,
    finish: async () => {
      await handed.finish();
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
  return ledger.write(async (tx) => {
    for (const id of ids) {
      const message = await resolveMessage(tx, id);
      requireSelf(caller, message.to, 'ack a message');
      if (message.state === 'superseded') throw superseded(id);
    }
    await acknowledge(tx, surroundings.clock.now(), ids, `acked by ${caller.name}`);
    return ids.map((id) => ({ id, state: 'acked' as const }));
  });
}

export async function explain(context: Context, id: string): Promise<Explanation> {
  await settleInboxOf(context, id);
  return context.ledger.read(async (tx) => {
    const history = await tx.messages.history(id);
    const attempts = await tx.claims.listAttempts(id);
    return {
      message: await viewMessage(tx, await resolveMessage(tx, id)),
      history: history.map((row) => ({ ...row, at: toIso(row.at) })),
      attempts: attempts.map(({ at, route, epoch, outcome }) => ({
        at: toIso(at),
        route,
        epoch,
        outcome,
      })),
    };
  });
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

function superseded(id: string): Fault {
  return new Fault(
    'wrong-state',
    `${id} was superseded by a newer completion of the same child; there is nothing to ack.`,
    'Ack the newer one.',
  );
}
