import { type Agent, signalbox } from '../agents/agent.ts';
import type { AgentStore } from '../agents/agent-store.ts';
import type { Epoch } from '../agents/epoch.ts';
import type { StatusSource } from '../agents/status.ts';
import type { DebtStore } from '../messages/debt-store.ts';
import type { Message, MessageState } from '../messages/message.ts';
import type { MessageQuery, MessageStore } from '../messages/message-store.ts';
import { shortIdIn } from '../messages/short-id.ts';
import { standingOf } from '../messages/standing.ts';
import type { AgentName, AgentView } from './agents.ts';
import type { InboxList, MessageView } from './messages.ts';

/**
 * Rows of the ledger as the documents that others script against; a transaction of the ledger is
 * such a pair of ports.
 */
export interface Rows {
  readonly agents: AgentStore;
  readonly messages: MessageStore;
  readonly debts: DebtStore;
}

export async function viewMessages(
  tx: Rows,
  messages: readonly Message[],
): Promise<readonly MessageView[]> {
  const ids = messages.flatMap(({ from, to, child }) => (child ? [from, to, child] : [from, to]));
  const names = await tx.agents.listNames(ids);
  const name = (id: string): AgentName =>
    id === signalbox.id ? { ...signalbox } : { id, ...(names.get(id) ?? { name: id }) };
  return messages.map((message) => ({
    id: message.id,
    ...(message.number === undefined
      ? {}
      : { number: message.number, short: shortIdIn(name(message.to).name, message) }),
    kind: message.kind,
    from: name(message.from),
    to: name(message.to),
    state: message.state,
    body: message.body,
    truncated: message.truncated,
    urgent: message.urgent,
    standing: standingOf(message),
    createdAt: toIso(message.createdAt),
    ...(message.expiresAt === undefined ? {} : { expiresAt: toIso(message.expiresAt) }),
    ...(message.replyTo.length === 0 ? {} : { replyTo: message.replyTo }),
    ...(message.owes === undefined ? {} : { owes: message.owes }),
    ...(message.reports === undefined ? {} : { reports: message.reports }),
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

export async function viewList(tx: Rows, query: MessageQuery): Promise<InboxList> {
  const found = await tx.messages.list({ ...query, bytes: listBytes });
  const messages = await viewMessages(tx, found);
  return { messages, remaining: (await tx.messages.count(query)) - messages.length };
}

export async function viewMessage(tx: Rows, message: Message): Promise<MessageView> {
  const [view] = await viewMessages(tx, [message]);
  if (!view) throw new Error('one message has one view');
  return view;
}

export async function viewAgent(tx: Rows, agent: Agent): Promise<AgentView> {
  const counts: Partial<Record<MessageState, number>> = await tx.messages.countByState(agent.id);
  const parent = agent.parent === undefined ? undefined : await tx.agents.find(agent.parent);
  return {
    id: agent.id,
    name: agent.name,
    session: agent.session,
    ...(agent.namesakes ? { namesakes: true } : {}),
    provider: agent.provider,
    backend: agent.backend,
    epoch: agent.epoch,
    status: agent.status,
    ...(agent.detail === undefined ? {} : { detail: agent.detail }),
    // The ledger keeps it as a text.
    source: agent.source as StatusSource,
    since: toIso(agent.since),
    ...(agent.parent === undefined ? {} : { parent: nameParent(agent.parent, parent) }),
    ...(agent.role?.profile === undefined ? {} : { profile: agent.role.profile }),
    cwd: agent.cwd,
    ...(agent.worktree === undefined ? {} : { worktree: agent.worktree }),
    inbox: {
      queued: counts.queued ?? 0,
      claimed: counts.claimed ?? 0,
      injected: counts.injected ?? 0,
      uncertain: counts.uncertain ?? 0,
      dead: counts.dead ?? 0,
    },
    ...(await viewDebts(tx, agent)),
    ...(agent.damaged === undefined ? {} : { notes: listDamage(agent) }),
  };
}

function nameParent(id: string, parent: Agent | undefined): AgentName {
  return parent ? nameView(parent) : { id, name: id };
}

/** How every document names an agent. */
export function nameView({ id, name, session, namesakes }: Agent): AgentName {
  return { id, name, session, ...(namesakes ? { namesakes } : {}) };
}

/** B14: what is wrong with one agent is written on that agent. */
export function listDamage({ damaged }: Pick<Epoch, 'damaged'>): readonly string[] {
  return damaged === undefined ? [] : [tellDamage(damaged)];
}

function tellDamage(columns: readonly string[]): string {
  const what = `its row in the ledger is damaged: ${columns.join(', ')} cannot be read`;
  return `${what}; see \`signalbox doctor\``;
}

async function viewDebts(tx: Rows, { id }: Agent): Promise<Pick<AgentView, 'owes'>> {
  const debts = await tx.debts.listOwedBy(id);
  if (debts.length === 0) return {};
  const names = await tx.agents.listNames(debts.map(({ creditor }) => creditor));
  const owes = debts.map(({ task, creditor, givenAt, remindedAt }) => ({
    task,
    to: { id: creditor, ...(names.get(creditor) ?? { name: creditor }) },
    since: toIso(givenAt),
    ...(remindedAt === undefined ? {} : { reminded: true as const }),
  }));
  return { owes };
}

/** What is left to say of a life, from its row: all there is once it has ended. */
export function viewEpoch(epoch: Epoch | undefined): Partial<AgentView> {
  if (!epoch) return {};
  return {
    ...(epoch.providerVersion === undefined ? {} : { providerVersion: epoch.providerVersion }),
    ...(epoch.conversation === undefined ? {} : { conversation: epoch.conversation }),
    ...(epoch.exitCode === undefined ? {} : { exitCode: epoch.exitCode }),
    ...(epoch.exitSignal === undefined ? {} : { exitSignal: epoch.exitSignal }),
  };
}

/**
 * Whatever stands in the ledger, reading it must not fail: a time beyond the calendar is shown as
 * its end.
 */
export function toIso(at: number): string {
  return new Date(Math.min(Math.max(at, -8.64e15), 8.64e15)).toISOString();
}
