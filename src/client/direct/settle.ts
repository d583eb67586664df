import type { Agent } from '../../agents/agent.ts';
import { findDue, isDue, settleDue } from '../../delivery/settle-due.ts';
import { finishRemovals } from '../../fleet/remove.ts';
import type { Context } from './context.ts';

/** Inboxes of others that one command settles at most. */
const inboxes = 20;

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
    // And what has expired elsewhere: its sender may be the one who looks here for the bounce.
    const elsewhere = await tx.messages.listOverdueRecipients(surroundings.clock.now(), inboxes);
    for (const id of new Set([...agents.map((agent) => agent.id), ...elsewhere])) {
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
