import type { Agent } from '../agents/agent.ts';
import type { ServerParts } from './parts.ts';

/** For whoever has just sent something: what is broken of that which wakes the recipient (rule 53); undefined when nothing is. */
export function tellBroken(
  { delivery }: Pick<ServerParts, 'delivery'>,
  { id, name }: Pick<Agent, 'id' | 'name'>,
): string | undefined {
  const broken = delivery.broken(id);
  return broken === undefined ? undefined : `"${name}": ${broken}`;
}
