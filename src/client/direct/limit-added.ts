import { isUser } from '../../agents/agent.ts';
import type { AddedRole } from '../../agents/role.ts';
import { limitAdded as limit } from '../../fleet/ceiling.ts';
import type { Context } from './context.ts';

/**
 * What an agent that is added, or a one-shot command, counts as by whoever adds it. Its programs
 * act in its name and not in the adder's: without this, an agent that only reads would get by it
 * what it may not launch itself.
 */
export async function limitAdded(
  { ledger, folders, caller }: Context,
  place: { readonly session: string; readonly cwd: string },
): Promise<{ readonly role?: AddedRole }> {
  // Most are added by the user: nothing is loaded for them.
  if (isUser(caller)) return {};
  const { openProviderShelf } = await import('../../providers/registry.ts');
  const parts = { ledger, providers: openProviderShelf(folders) };
  const role = await limit(parts, caller, place);
  return role ? { role } : {};
}
