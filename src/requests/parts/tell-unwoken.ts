import type { Agent } from '../../agents/agent.ts';
import { callName } from '../../agents/reference.ts';
import { describeUnwoken, waitsWhile } from '../../delivery/explain-unwoken.ts';
import type { Live } from '../context.ts';

/**
 * For whoever has just sent something: that it waits, since no message wakes the recipient at rest;
 * undefined where it does not.
 */
export function tellUnwoken(
  { delivery }: Pick<Live, 'delivery'>,
  agent: Agent,
): string | undefined {
  const unwoken = delivery.unwoken(agent.id);
  const isWaiting = unwoken && waitsWhile(agent.status, unwoken);
  return isWaiting ? describeUnwoken(callName(agent), unwoken) : undefined;
}
