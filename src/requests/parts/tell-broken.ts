import type { Agent } from '../../agents/agent.ts';
import { callName } from '../../agents/reference.ts';
import { describeBroken, describeWait } from '../../messages/describe-wait.ts';
import type { Live } from '../context.ts';

/**
 * For whoever has just sent something: what is broken of that which wakes the recipient (rule 53),
 * or what a person has made of its terminal (rule 45); undefined when nothing is in the way.
 */
export function tellBroken({ delivery }: Pick<Live, 'delivery'>, agent: Agent): string | undefined {
  const [broken, obstacle] = [delivery.broken(agent.id), delivery.obstacle(agent.id)];
  const name = callName(agent);
  if (broken) return `"${name}": ${describeBroken(broken)}`;
  return obstacle && `"${name}": messages wait: ${describeWait(obstacle)}`;
}
