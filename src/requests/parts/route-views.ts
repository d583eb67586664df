import type { Agent } from '../../agents/agent.ts';
import { describeWait } from '../../messages/describe-wait.ts';
import type { MissingRoute } from '../../protocol/agents.ts';
import type { Live } from '../context.ts';

/**
 * Routes that do not lead into a running agent now, each with the reason; undefined for one that
 * does not run.
 */
export function findMissing(
  { delivery, fleet }: Pick<Live, 'delivery' | 'fleet'>,
  { id, provider }: Agent,
): readonly MissingRoute[] | undefined {
  const version = fleet.live(id)?.providerVersion;
  const has = version === undefined ? provider : `${provider} ${version}`;
  return delivery
    .routes(id)
    ?.filter(({ state }) => state === 'missing')
    .map(({ route, why }) => ({ route, why: why ? describeWait(why) : `${has} has none` }));
}

export function findOpen(
  { delivery }: Pick<Live, 'delivery'>,
  { id }: Pick<Agent, 'id'>,
): readonly string[] | undefined {
  return delivery
    .routes(id)
    ?.filter(({ state }) => state === 'open')
    .map(({ route }) => route);
}
