import type { Agent } from '../../agents/agent.ts';
import { fullName } from '../../agents/reference.ts';
import type { AgentView } from '../../protocol/agents.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';

/**
 * With an agent that was just launched or added, that others have its name: from now on the name
 * alone means this one in its own session, and nobody elsewhere who stands in none of theirs.
 */
export async function withNamesakes(
  tx: LedgerTransaction,
  { id, name, session }: Agent,
  view: AgentView,
): Promise<AgentView> {
  const others = (await tx.agents.listByName(name)).filter((one) => one.id !== id).map(fullName);
  if (others.length === 0) return view;
  const have = others.length === 1 ? 'has' : 'have';
  const note = `${others.slice(0, 5).join(', ')} ${have} the same name; in the session ${session} "${name}" means this agent`;
  return { ...view, notes: [...(view.notes ?? []), note] };
}
