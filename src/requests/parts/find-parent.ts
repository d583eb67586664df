import { type Agent, isUser } from '../../agents/agent.ts';
import type { Caller } from '../../agents/caller.ts';
import { requireDescendant, resolveAgent } from '../../fleet/resolve-agent.ts';
import { Fault } from '../../shared/fault.ts';
import type { Context } from '../context.ts';

/**
 * The parent of an agent that is launched or added: the one that is named, else the agent that
 * asks. An agent may name itself or an agent below it, so that what it makes stays below it.
 */
export async function findParent(
  { ledger }: Pick<Context, 'ledger'>,
  asker: Caller,
  wanted: string | undefined,
): Promise<Agent | undefined> {
  const caller = asker.agent;
  if (wanted === undefined) return isUser(caller) ? undefined : caller;
  const parent = await ledger.read(async (tx) => {
    const named = await resolveAgent(tx, wanted, asker);
    if (!isUser(named) && named.id !== caller.id) await requireDescendant(tx, caller, named);
    return named;
  });
  if (!isUser(parent)) return parent;
  throw new Fault(
    'not-allowed',
    "The user is nobody's parent: completions of an agent without a parent answer tasks alone.",
    'Leave --parent out, or name an agent.',
  );
}
