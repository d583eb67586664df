import type { Agent } from '../../agents/agent.ts';
import { describeUnwoken, waitsWhile } from '../../delivery/explain-unwoken.ts';
import type { Live } from '../context.ts';

/**
 * For whoever has just sent something: that it waits, since no message wakes the recipient at rest;
 * undefined where it does not.
 */
export function tellUnwoken(
  { delivery }: Pick<Live, 'delivery'>,
  { id, name, status }: Pick<Agent, 'id' | 'name' | 'status'>,
): string | undefined {
  const unwoken = delivery.unwoken(id);
  return unwoken && waitsWhile(status, unwoken) ? describeUnwoken(name, unwoken) : undefined;
}
