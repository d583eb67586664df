import { type Agent, isUser } from '../../agents/agent.ts';
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
  /** Set by requests that gave the daemon something to do: closing the client then makes sure that one runs. */
  wantsDaemon?: boolean;
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
