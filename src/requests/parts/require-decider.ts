import type { Agent } from '../../agents/agent.ts';
import type { Caller } from '../../agents/caller.ts';
import { isAtMost, type Permission } from '../../agents/permission.ts';
import { callName, fullName, nameFor } from '../../agents/reference.ts';
import { requireDescendant } from '../../fleet/resolve-agent.ts';
import { Fault } from '../../shared/fault.ts';
import type { LiveContext } from '../context.ts';

/**
 * Rule 54: who may see what an agent asks, and decide it. The user; and of agents a supervisor that
 * the user's own configuration names, for those below it.
 */
export async function requireDecider(
  { ledger, live }: LiveContext,
  { kind, agent: caller, isProven }: Caller,
  agent: Agent,
): Promise<void> {
  if (kind !== 'agent') return;
  if (!isProven) {
    throw new Fault(
      'not-allowed',
      `Nothing shows that you are the agent "${callName(caller)}"; its name alone answers nothing.`,
      'Ask from its own terminal, where SIGNALBOX_TOKEN is set, or by its tool `answer_question`.',
    );
  }
  if (!(await mayDecide(live, caller))) {
    throw new Fault(
      'not-allowed',
      `You are the agent "${callName(caller)}"; only the user answers what an agent asks.`,
      'Tell the user that it waits; nobody else’s word is consent.',
    );
  }
  await ledger.read((tx) => requireDescendant(tx, caller, agent));
}

/** By its full name: another one in another session is not meant. */
export async function mayDecide(
  { supervisorsAnswer }: Pick<LiveContext['live'], 'supervisorsAnswer'>,
  agent: Agent,
): Promise<boolean> {
  return (await supervisorsAnswer()).includes(fullName(agent));
}

/** A script speaks for the user, and is no consent of theirs. */
export function requireNoScript({ kind }: Caller): void {
  if (kind !== 'script') return;
  throw new Fault(
    'not-allowed',
    'Only the user may answer what an agent asks, and this is a script.',
    'Run it yourself in a terminal of your own.',
  );
}

/**
 * At most within the supervisor's own permission. To say no takes none. An edit that a CLI asks
 * about may be one outside of the folder, or of a file that runs something (a git hook, a shell's
 * start file), so it takes as much as a command.
 */
export function requireWithin(
  held: Permission | undefined,
  { caller, agent }: { readonly caller: Agent; readonly agent: Agent },
): void {
  if (held !== undefined && isAtMost('all', held)) return;
  throw new Fault(
    'not-allowed',
    `To allow this takes the permission \`all\`, and yours is \`${held ?? 'not known'}\`.`,
    `Deny it, or leave it to the user: "${nameFor(caller, agent)}" waits in its terminal.`,
  );
}
