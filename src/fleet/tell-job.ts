import { type Agent, isUser } from '../agents/agent.ts';
import { nameFor } from '../agents/reference.ts';
import type { Role } from '../agents/role.ts';
import type { Ledger } from '../store/ledger.ts';

/**
 * The role as its CLI is told it (rule 51). Tasks of agents arrive as notices, which a model may
 * take for something that it needs a person's word for; so a worker is told once whose tasks are
 * its job. It is not kept: a restart asks for the parent of then.
 */
export async function tellJob(
  ledger: Ledger,
  agent: Pick<Agent, 'id' | 'parent' | 'session'>,
  role: Role,
): Promise<Role> {
  const { parent } = agent;
  if (parent === undefined || isUser({ id: parent })) return role;
  const above = await ledger.read((tx) => tx.agents.find(parent));
  if (!above || above.removedAt !== undefined) return role;
  const said = [role.instructions, describeJob(nameFor(agent, above))].filter(
    (text) => text !== undefined,
  );
  return { ...role, instructions: said.join('\n\n') };
}

function describeJob(name: string): string {
  return `You work for the agent "${name}": a later task that signalbox brings you from it is your job like your first one.`;
}
