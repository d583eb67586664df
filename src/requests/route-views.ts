import type { Agent } from '../agents/agent.ts';
import type { MissingRoute } from '../protocol/agents.ts';
import type { Live } from './context.ts';

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
    .map(({ route, why = `${has} has none` }) => ({ route, why: why.replace(/\.$/, '') }));
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
