import { isUser } from '../../agents/agent.ts';
import { callName } from '../../agents/reference.ts';
import { findProjectSession } from '../../fleet/resolve-agent.ts';
import type { DirectContext } from './context.ts';

/** An agent's own; the user's is that of the project of this folder, once it has one. */
export async function findOwnSession({
  ledger,
  caller: { agent, folder },
}: DirectContext): Promise<string | undefined> {
  if (!isUser(agent)) return agent.session;
  return ledger.read((tx) => findProjectSession(tx, folder));
}

/** Without its session where nobody else has that name. */
export function nameOf({ ledger }: DirectContext, id: string): Promise<string> {
  return ledger.read(async (tx) => {
    const agent = await tx.agents.find(id);
    return agent ? callName(agent) : id;
  });
}
