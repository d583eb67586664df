import type { Route } from '../messages/claim.ts';
import type { Recipient } from './recipient.ts';

/** One way into an agent, as `status` shows it. */
export interface RouteState {
  readonly route: Route;
  readonly state: 'open' | 'missing';
  /** Why it is missing; undefined where the provider has no such route at all. */
  readonly why?: string;
}

const routes: readonly Route[] = ['native', 'turn-boundary', 'mid-turn', 'paste', 'pull'];

/** Which routes lead into it now, best first, and why the others do not: none is silently replaced by another. */
export function describeRoutes(
  { ways, pen }: Pick<Recipient, 'ways' | 'pen'>,
  nativeBlocked: string | undefined,
): readonly RouteState[] {
  const others = routes.filter((route) => !ways.routes.includes(route));
  return [...ways.routes, ...others].map((route) => {
    if (!ways.routes.includes(route)) return { route, state: 'missing' };
    const why = findObstacle(route, ways.pastes, pen, nativeBlocked);
    return why === undefined ? { route, state: 'open' } : { route, state: 'missing', why };
  });
}

function findObstacle(
  route: Route,
  pastes: Recipient['ways']['pastes'],
  pen: Recipient['pen'],
  nativeBlocked: string | undefined,
): string | undefined {
  if (route === 'native') return nativeBlocked;
  if (route !== 'paste') return undefined;
  if (typeof pen === 'string') return pen;
  return pastes === 'notice' ? 'one line tells it to drain; messages are not pasted' : undefined;
}
