import { type Agent, isUser } from '../../agents/agent.ts';
import { parseName } from '../../agents/agent-name.ts';
import { referWithin } from '../../agents/reference.ts';
import { requireDescendant, resolveAgent } from '../../fleet/resolve-agent.ts';
import { Fault } from '../../shared/fault.ts';
import type { WhichAgents } from '../client.ts';
import type { DirectContext } from './context.ts';

/**
 * Whom a command that ends agents means: all are found and allowed before anything happens to the
 * first. No name takes its project from the folder.
 */
export async function selectAgents(
  { ledger, caller: { agent: caller } }: DirectContext,
  { names, session, all }: WhichAgents,
): Promise<readonly Agent[]> {
  return ledger.read(async (tx) => {
    const found = new Map<string, Agent>();
    for (const name of names) {
      const agent = await resolveAgent(tx, referWithin(session, name), { agent: caller });
      found.set(agent.id, agent);
    }
    // Beside names it only says where they are looked for.
    if (session !== undefined && names.length === 0) {
      const members = (await tx.agents.list(parseName(session, 'session'))).filter(
        (agent) => !isUser(agent),
      );
      if (members.length === 0) throw noSession(session);
      for (const agent of members) found.set(agent.id, agent);
    }
    if (all) {
      for (const agent of await tx.agents.list()) if (!isUser(agent)) found.set(agent.id, agent);
    }
    for (const agent of found.values()) await requireDescendant(tx, caller, agent);
    return [...found.values()];
  });
}

function noSession(session: string): Fault {
  return new Fault('agent-not-found', `No agents in session "${session}".`, 'See `signalbox ls`.');
}
