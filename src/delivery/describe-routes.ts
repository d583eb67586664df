import { explainSmall } from '../agents/explain-small.ts';
import type { SmallWindow } from '../agents/status.ts';
import type { Route } from '../messages/claim.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import { isPen, type Recipient, type Ways } from './recipient.ts';

/** One way into an agent, as `status` shows it. */
export interface RouteState {
  readonly route: Route;
  readonly state: 'open' | 'missing';
  /** Why it is missing; undefined where the provider has no such route at all. */
  readonly why?: WaitReason;
}

const routes: readonly Route[] = ['native', 'turn-boundary', 'mid-turn', 'paste', 'pull'];

/** What is so just now. */
export interface RoutesNow {
  readonly nativeBlocked?: WaitReason | undefined;
  /** What is used in its stead (rule 53). */
  readonly standsIn?: Ways['takesOver'];
  /** Its window is too small for its composer to be read. */
  readonly tooSmall?: SmallWindow | undefined;
  /** Why its composer takes no paste however long it rests, by name. */
  readonly noPaste?: string | undefined;
}

type Into = Pick<Recipient, 'ways' | 'pen'>;

/**
 * Which routes lead into it now, best first, and why the others do not: none is silently replaced
 * by another.
 */
export function describeRoutes(into: Into, now: RoutesNow): readonly RouteState[] {
  const own = listOwn(into.ways);
  const others = routes.filter((route) => !own.includes(route));
  return [...own, ...others].map((route) => {
    if (!own.includes(route)) return { route, state: 'missing' };
    const why = findObstacle(route, into, now);
    return why === undefined ? { route, state: 'open' } : { route, state: 'missing', why };
  });
}

/** One that stands in for the native route comes behind it. */
function listOwn({ routes: own, takesOver }: Ways): readonly Route[] {
  if (takesOver === undefined || own.includes('paste')) return own;
  return own.flatMap((route) => (route === 'native' ? [route, 'paste'] : [route]));
}

function findObstacle(route: Route, { ways, pen }: Into, now: RoutesNow): WaitReason | undefined {
  if (route === 'native') return now.nativeBlocked;
  if (route !== 'paste') return undefined;
  if (!isPen(pen)) return pen;
  if (!ways.routes.includes('paste') && now.standsIn === undefined) {
    return { code: 'paste-stands-by' };
  }
  if (now.tooSmall !== undefined) return explainSmall(now.tooSmall);
  if (now.noPaste !== undefined) return { code: 'no-paste', reason: now.noPaste };
  return ways.pastes === 'notice' ? { code: 'notice-only' } : undefined;
}
