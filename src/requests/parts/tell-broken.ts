import type { Agent } from '../../agents/agent.ts';
import { describeBroken, describeWait } from '../../messages/describe-wait.ts';
import type { Live } from '../context.ts';

/**
 * For whoever has just sent something: what is broken of that which wakes the recipient (rule 53),
 * or what a person has made of its terminal (rule 45); undefined when nothing is in the way.
 */
export function tellBroken(
  { delivery }: Pick<Live, 'delivery'>,
  { id, name }: Pick<Agent, 'id' | 'name'>,
): string | undefined {
  const [broken, obstacle] = [delivery.broken(id), delivery.obstacle(id)];
  if (broken) return `"${name}": ${describeBroken(broken)}`;
  return obstacle && `"${name}": messages wait: ${describeWait(obstacle)}`;
}
