import type { Agent } from '../../agents/agent.ts';
import type { Message, MessageState } from '../../messages/message.ts';
import type { MessageQuery } from '../../messages/message-store.ts';
import type { AgentName, AgentView } from '../../protocol/agents.ts';
import type { InboxList, MessageView } from '../../protocol/messages.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';

/** Rows of the ledger as the documents that others script against. */

export async function viewMessages(
  tx: LedgerTransaction,
  messages: readonly Message[],
): Promise<readonly MessageView[]> {
  const ids = messages.flatMap(({ from, to, child }) => (child ? [from, to, child] : [from, to]));
  const names = await tx.agents.listNames(ids);
  const name = (id: string): AgentName => ({ id, name: names.get(id) ?? id });
  return messages.map((message) => ({
    id: message.id,
    kind: message.kind,
    from: name(message.from),
    to: name(message.to),
    state: message.state,
    body: message.body,
    truncated: message.truncated,
    urgent: message.urgent,
    createdAt: toIso(message.createdAt),
    ...(message.expiresAt === undefined ? {} : { expiresAt: toIso(message.expiresAt) }),
    ...(message.replyTo.length === 0 ? {} : { replyTo: message.replyTo }),
    attempts: message.attempts,
    ...(message.inContext === undefined ? {} : { inContext: message.inContext }),
    ...(message.outcome === undefined ? {} : { outcome: message.outcome }),
    ...(message.reason === undefined ? {} : { reason: message.reason }),
    ...(message.turn === undefined ? {} : { turn: message.turn }),
    ...(message.child === undefined ? {} : { child: name(message.child) }),
    ...(message.mayRepeat ? { repeat: true } : {}),
  }));
}

/** One list holds at most so many bytes of bodies, and says how many messages it left out. */
const listBytes = 16 * 1024 * 1024;

export async function viewList(tx: LedgerTransaction, query: MessageQuery): Promise<InboxList> {
  const found = await tx.messages.list({ ...query, bytes: listBytes });
  const messages = await viewMessages(tx, found);
  return { messages, remaining: (await tx.messages.count(query)) - messages.length };
}

export async function viewMessage(tx: LedgerTransaction, message: Message): Promise<MessageView> {
  const [view] = await viewMessages(tx, [message]);
  if (!view) throw new Error('one message has one view');
  return view;
}

export async function viewAgent(tx: LedgerTransaction, agent: Agent): Promise<AgentView> {
  const counts: Partial<Record<MessageState, number>> = await tx.messages.countByState(agent.id);
  const parent = agent.parent === undefined ? undefined : await tx.agents.find(agent.parent);
  return {
    id: agent.id,
    name: agent.name,
    session: agent.session,
    provider: agent.provider,
    backend: agent.backend,
    epoch: agent.epoch,
    status: agent.status,
    ...(agent.detail === undefined ? {} : { detail: agent.detail }),
    source: agent.source,
    since: toIso(agent.since),
    ...(agent.parent === undefined
      ? {}
      : { parent: { id: agent.parent, name: parent?.name ?? agent.parent } }),
    cwd: agent.cwd,
    inbox: {
      queued: counts.queued ?? 0,
      claimed: counts.claimed ?? 0,
      injected: counts.injected ?? 0,
      uncertain: counts.uncertain ?? 0,
      dead: counts.dead ?? 0,
    },
  };
}

/** Whatever stands in the ledger, reading it must not fail: a time beyond the calendar is shown as its end. */
export function toIso(at: number): string {
  return new Date(Math.min(Math.max(at, -8.64e15), 8.64e15)).toISOString();
}
