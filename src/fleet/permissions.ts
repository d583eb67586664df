import { type Agent, isUser } from '../agents/agent.ts';
import type { Caller } from '../agents/caller.ts';
import { callName } from '../agents/reference.ts';
import type { Message } from '../messages/message.ts';
import { Fault } from '../shared/fault.ts';

/**
 * An agent acts as itself only; the person may do everything. A guard against mistakes, not a wall.
 */
export function requireSelf(caller: Agent, owner: string, what: string): void {
  if (isUser(caller) || caller.id === owner) return;
  throw new Fault(
    'not-allowed',
    `You are the agent "${callName(caller)}" and may not ${what} of another.`,
    'Leave the agent out to mean yourself; the user can do it from outside.',
  );
}

export function requireUser(caller: Agent, what: string): void {
  if (isUser(caller)) return;
  throw new Fault(
    'not-allowed',
    `You are the agent "${callName(caller)}"; only the user may ${what}.`,
    'Ask the user to do it from outside.',
  );
}

/**
 * What stands for a person's own hand at a terminal: no agent may do it, nor a script (rule 54). A
 * guard against mistakes, not a wall.
 */
export function requirePerson({ kind, agent }: Caller, what: string): void {
  requireUser(agent, what);
  if (kind === 'user') return;
  throw new Fault(
    'not-allowed',
    `Only the user at a terminal may ${what}, and this counts as a script of the user's.`,
    'Run it yourself in a terminal of your own.',
  );
}

/** An agent sees the messages it sent or received. */
export function requireParty(caller: Agent, message: Message): void {
  if (isUser(caller) || message.to === caller.id || message.from === caller.id) return;
  throw new Fault(
    'not-allowed',
    `${message.id} is neither from you ("${callName(caller)}") nor to you.`,
    'Ask its sender or recipient.',
  );
}
