import type { Agent } from '../../agents/agent.ts';
import { findDue, isDue, settleDue } from '../../delivery/settle-due.ts';
import { finishRemovals } from '../../fleet/remove.ts';
import type { Context } from './context.ts';

/**
 * While no daemon does it, whoever touches an inbox settles what is due in it first: dead holders, leases and times to
 * live, within bounds. Nothing due, nothing written.
 */
export async function settleInboxes(
  { ledger, surroundings }: Context,
  agents: readonly Pick<Agent, 'id'>[],
): Promise<number> {
  const due = await ledger.read(async (tx) => {
    const found: string[] = [];
    for (const { id } of agents) {
      if (isDue(await findDue(tx, surroundings, id))) found.push(id);
    }
    return found;
  });
  let settled = 0;
  for (const id of due) {
    settled += await ledger.write((tx) => settleDue(tx, surroundings, id));
  }
  return settled + (await finishRemovals(ledger, surroundings));
}
