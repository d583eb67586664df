import { isUser } from '../../agents/agent.ts';
import type { Caller } from '../../agents/caller.ts';
import type { AddedRole } from '../../agents/role.ts';
import { limitAdded as limit } from '../../fleet/ceiling.ts';
import type { ProviderShelf } from '../../providers/registry.ts';
import type { Context } from '../context.ts';

/** Requests that add agents without a terminal of ours: the command line alone offers them. */
export interface AddingContext extends Context {
  openProviders(): Promise<ProviderShelf>;
}

/**
 * What an agent that is added, or a one-shot command, counts as by whoever adds it. Its programs
 * act in its name and not in the adder's: without this, an agent that only reads would get by it
 * what it may not launch itself.
 */
export async function limitAdded(
  context: AddingContext,
  { agent }: Caller,
  { session, cwd }: { readonly session: string | undefined; readonly cwd: string },
): Promise<{ readonly role?: AddedRole }> {
  // The user adds most of them, and nothing is loaded then.
  if (isUser(agent)) return {};
  const parts = { ledger: context.ledger, providers: await context.openProviders() };
  const role = await limit(parts, agent, { session: session ?? agent.session, cwd });
  return role ? { role } : {};
}
