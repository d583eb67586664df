import { type Agent, isUser } from '../agents/agent.ts';
import { closestName } from '../agents/agent-name.ts';
import { areLookAlikes } from '../agents/skeleton.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { describeLetters } from './insert-agent.ts';

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
  const meant = [...names, 'self'].find((name) => areLookAlikes(name, reference.normalize('NFC')));
  if (meant !== undefined) throw lookAlike(reference, meant);
  const closest = closestName(reference, names);
  const others = names.filter((name) => name !== 'user').slice(0, 8);
  throw new Fault(
    'agent-not-found',
    `No agent named ${quote(reference)}.`,
    closest
      ? `Did you mean "${closest}"?`
      : others.length > 0
        ? `There are: ${others.join(', ')}.`
        : 'Add one with `signalbox agents add <name>`.',
  );
}

/** Never taken for the other one: whoever wrote it may have meant to deceive whoever reads it. */
function lookAlike(reference: string, meant: string): Fault {
  return new Fault(
    'agent-not-found',
    `No agent named ${quote(reference)}: it only looks like ${quote(meant)}, since ${describeLetters(reference, meant)}.`,
    `Write ${quote(meant)} if that is the one you mean.`,
  );
}

/** An agent may end what it started, and nothing else. */
export async function requireDescendant(
  tx: LedgerTransaction,
  caller: Agent,
  agent: Agent,
): Promise<void> {
  if (isUser(caller)) return;
  for (let at = agent.parent; at !== undefined; at = (await tx.agents.find(at))?.parent) {
    if (at === caller.id) return;
  }
  throw new Fault(
    'not-allowed',
    `You are the agent "${caller.name}" and did not start "${agent.name}".`,
    'Ask the user to do it.',
  );
}
