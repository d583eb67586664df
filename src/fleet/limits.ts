import { type Agent, isUser } from '../agents/agent.ts';
import { isAtWork } from '../agents/ending.ts';
import { callName, nameFor } from '../agents/reference.ts';
import { Fault } from '../shared/fault.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { WantedLaunch } from './fleet.ts';
import { requireDescendant } from './resolve-agent.ts';

/**
 * What an agent may launch by itself, over whatever way it asks: no more generations and no more
 * children at once than the settings say, and nothing that may do more without asking than it may
 * itself (ceiling.ts). A person has no such limits; what a person launches is where the counting
 * begins.
 */
export interface TeamLimits {
  /** Generations below an agent that a person launched. */
  readonly depth: number;
  /** Running children of one agent. */
  readonly breadth: number;
  /** A worker that rests so long is stopped, where its profile says nothing; 0: never. */
  readonly idleStopMs: number;
}

/** In the transaction that adds the child: two launches at once cannot both be the last one. */
export async function checkTree(
  tx: LedgerTransaction,
  limits: Pick<TeamLimits, 'depth' | 'breadth'>,
  { callerAgent, parent }: Pick<WantedLaunch, 'callerAgent' | 'parent'>,
): Promise<void> {
  const caller = callerAgent === undefined ? undefined : await tx.agents.find(callerAgent);
  const above = caller && (await tx.agents.find(parent ?? caller.id));
  if (!caller || !above || isUser(caller)) return;
  // Otherwise it could spread its children over others without end.
  if (above.id !== caller.id) await requireDescendant(tx, caller, above);
  const whose = above.id === caller.id ? 'You' : `"${callName(above)}"`;
  const depth = (await countAncestors(tx, above)) + 1;
  if (depth > limits.depth) {
    throw refused(
      `${whose} would get a child of generation ${depth}, and agents may launch ${limits.depth} below one that the user launched`,
      'Do the task yourself, send it to an agent that runs (`list_agents`), or report to whoever gave it to you; the user can raise `depth-limit`.',
    );
  }
  const children = (await tx.agents.listChildren(above.id)).filter(isAtWork);
  if (children.length >= limits.breadth) {
    throw tooManyChildren(whose, caller, children, limits.breadth);
  }
}

function tooManyChildren(
  whose: string,
  reader: Agent,
  children: readonly Agent[],
  breadth: number,
): Fault {
  const names = children.slice(0, 10).map((child) => nameFor(reader, child));
  return refused(
    `${whose} already ${whose === 'You' ? 'have' : 'has'} ${children.length} running children, and ${breadth} are allowed: ${names.join(', ')}`,
    `Give the task to one of them by name, or stop one first (${howToStop(names)}); the user can raise \`breadth-limit\`.`,
  );
}

/** For a model, which has a tool for it, and for a person: a line to paste. */
export function howToStop([name]: readonly string[]): string {
  return `\`stop_agent\`${name === undefined ? '' : `, or for example \`signalbox stop ${name}\``}`;
}

/** The user is nobody's parent, and a cycle is refused when a parent is set. */
async function countAncestors(tx: LedgerTransaction, agent: Agent): Promise<number> {
  let count = 0;
  for (let at = agent.parent; at !== undefined; at = (await tx.agents.find(at))?.parent) count++;
  return count;
}

function refused(what: string, next: string): Fault {
  return new Fault('not-allowed', `${what}.`, next);
}
