import type { Agent } from '../../agents/agent.ts';
import type { ServerParts } from '../parts.ts';

/**
 * Whether a message begins a turn of this agent by itself. Not of one that only pulls: added
 * without a terminal, or a program that nothing of ours leads into. Its model must be told to take
 * its messages; told to wait, it would wait for ever.
 */
export async function canBeWoken(
  { delivery, isWokenOf }: Pick<ServerParts, 'delivery' | 'isWokenOf'>,
  { id, backend, provider }: Agent,
): Promise<boolean> {
  if (backend === 'none') return false;
  const routes = delivery.routes(id);
  // Not watched yet: what its provider says of itself.
  if (!routes) return isWokenOf(provider);
  return routes.some(({ route, state, why }) =>
    // A way in of its own that is just missing is put up again (rule 53); a paste that cannot be
    // made never can.
    route === 'native'
      ? state === 'open' || why !== undefined
      : route === 'paste' && state === 'open',
  );
}
