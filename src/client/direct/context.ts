import { type Agent, isUser } from '../../agents/agent.ts';
import { closestName } from '../../agents/agent-name.ts';
import type { Settings } from '../../config/settings.ts';
import type { Surroundings } from '../../delivery/claim.ts';
import type { Message } from '../../messages/message.ts';
import { Fault } from '../../shared/fault.ts';
import type { Ledger, LedgerTransaction } from '../../store/ledger.ts';

/** What every request needs: the ledger itself, its surroundings, and who is asking. */
export interface Context {
  readonly ledger: Ledger;
  readonly surroundings: Surroundings;
  readonly settings: Settings;
  readonly caller: Agent;
  /** Set by requests that wrote: closing the client then prunes in passing, when everybody has been answered. */
  hasWritten?: boolean;
}

/** By name, by id, or `self`. Never by a guess: the closest name is only suggested. */
export async function resolveAgent(
  tx: LedgerTransaction,
  reference: string,
  caller?: Agent,
): Promise<Agent> {
  if (reference === 'self' && caller) return caller;
  const byId = reference.startsWith('agt_') ? await tx.agents.find(reference) : undefined;
  if (byId?.removedAt !== undefined) {
    throw new Fault(
      'agent-not-found',
      `The agent "${byId.name}" (${byId.id}) has been removed.`,
      'See `signalbox ls` for those that live.',
    );
  }
  const agent = byId ?? (await tx.agents.findByName(reference.normalize('NFC')));
  if (agent) return agent;
  const names = (await tx.agents.list()).map(({ name }) => name);
  const closest = closestName(reference, names);
  const others = names.filter((name) => name !== 'user').slice(0, 8);
  throw new Fault(
    'agent-not-found',
    `No agent named ${JSON.stringify(reference.slice(0, 80))}.`,
    closest
      ? `Did you mean "${closest}"?`
      : others.length > 0
        ? `There are: ${others.join(', ')}.`
        : 'Add one with `signalbox agents add <name>`.',
  );
}

export async function resolveMessage(tx: LedgerTransaction, id: string): Promise<Message> {
  const message = await tx.messages.find(id);
  if (message) return message;
  throw new Fault(
    'message-not-found',
    `No message ${JSON.stringify(id.slice(0, 80))}.`,
    'Ids begin with msg_; settled messages are forgotten after the retention (`signalbox config get retention`).',
  );
}

/** An agent acts as itself only; the person may do everything. A guard against mistakes, not a wall. */
export function requireSelf(caller: Agent, owner: string, what: string): void {
  if (isUser(caller) || caller.id === owner) return;
  throw new Fault(
    'not-allowed',
    `You are the agent "${caller.name}" and may not ${what} of another.`,
    'Leave the agent out to mean yourself; the user can do it from outside.',
  );
}

export function requireUser(caller: Agent, what: string): void {
  if (isUser(caller)) return;
  throw new Fault(
    'not-allowed',
    `You are the agent "${caller.name}"; only the user may ${what}.`,
    'Ask the user to do it from outside.',
  );
}

/** An agent sees the messages it sent or received. */
export function requireParty(caller: Agent, message: Message): void {
  if (isUser(caller) || message.to === caller.id || message.from === caller.id) return;
  throw new Fault(
    'not-allowed',
    `${message.id} is neither from you ("${caller.name}") nor to you.`,
    'Ask its sender or recipient.',
  );
}
