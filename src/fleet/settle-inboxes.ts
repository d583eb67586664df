import type { Agent } from '../agents/agent.ts';
import type { Surroundings } from '../delivery/claim.ts';
import { findDue, isDue, settleDue } from '../delivery/settle-due.ts';
import type { Ledger } from '../store/ledger.ts';
import { finishRemovals } from './remove.ts';

/** Inboxes of others that one request settles at most. */
const inboxes = 20;

/**
 * Whoever touches an inbox settles what is due in it first: dead holders, leases and times to live,
 * within bounds. While no daemon runs nobody else does; while one does, its sweep comes too late
 * for whoever looks now. Nothing due, nothing written.
 */
export async function settleInboxes(
  { ledger, surroundings }: { readonly ledger: Ledger; readonly surroundings: Surroundings },
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
