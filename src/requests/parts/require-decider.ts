import type { Agent } from '../../agents/agent.ts';
import type { Caller } from '../../agents/caller.ts';
import { isAtMost, type Permission } from '../../agents/permission.ts';
import { callName, fullName, nameFor } from '../../agents/reference.ts';
import type { Supervisors } from '../../config/supervisors.ts';
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
  const named = await live.supervisorsAnswer();
  if (!isMeant(named, caller)) {
    const name = fullName(caller);
    throw new Fault(
      'not-allowed',
      named.has(name)
        ? `Another agent was named "${name}" when the user let it answer; you are not that one.`
        : `You are the agent "${callName(caller)}"; only the user answers what an agent asks.`,
      named.has(name)
        ? `Tell the user: \`signalbox config set supervisors-answer\` names you, at a terminal of theirs.`
        : 'Tell the user that it waits; nobody else’s word is consent.',
    );
  }
  await ledger.read((tx) => requireDescendant(tx, caller, agent));
}

/** Whether this tool is for it. Where that cannot be read, it is not. */
export async function mayDecide(
  { supervisorsAnswer }: Pick<LiveContext['live'], 'supervisorsAnswer'>,
  agent: Agent,
): Promise<boolean> {
  try {
    return isMeant(await supervisorsAnswer(), agent);
  } catch (error) {
    // A config.yaml that nobody can read must not take the other tools away.
    if (!(error instanceof Fault)) throw error;
    return false;
  }
}

/** The very agent that the user has named; one that has its name since is another. */
function isMeant(named: Supervisors, agent: Agent): boolean {
  return named.get(fullName(agent)) === agent.id && agent.removedAt === undefined;
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
