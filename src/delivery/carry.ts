// Tests: src/delivery/open-delivery.test.ts, src/delivery/gather.test.ts.

import { isAtRest } from '../agents/remember-turn.ts';
import { takeBackWake } from './budgets.ts';
import type { Carried } from './carried.ts';
import { type ParcelWish, pack, record } from './deliver.ts';
import { causes, type InjectMeans, inject } from './inject.ts';
import { pickRoute, type Situation } from './pick-route.ts';
import type { Paste } from './routes/paste.ts';

export interface CarryPlan {
  readonly limit?: 'urgent' | 'probe';
  readonly standing?: 'prompt';
  /** By which it was decided. */
  readonly situation: Situation;
  /** It is pasted by this one; undefined: by the native route. */
  readonly paste: Paste | undefined;
}

/**
 * One act under a claim. Undefined when nothing could be claimed: another claim is live, or
 * somebody took them.
 */
export async function carry(
  means: InjectMeans,
  { limit, standing, situation, paste }: CarryPlan,
): Promise<Carried | undefined> {
  const { parts, recipient } = means;
  const route = paste ? 'paste' : 'native';
  // As it was when it was decided: if that has changed since, it is not right any more.
  const isWake = isAtRest(situation.view.status);
  const wish: ParcelWish = {
    route,
    isBegun: paste?.isSteady ?? false,
    foresee: (text) => paste?.prepare(text),
    isBehindTurn: route === 'native' && !isWake && limit !== 'urgent',
    isQueued: route === 'native' && !isWake && !recipient.ways.hasWaitingHook,
    ...(limit === undefined ? {} : { limit }),
    ...(standing === undefined ? {} : { standing }),
    // By the look no prompt waited; a joined turn takes an urgent one as a notice (rule 51c).
    leavesPrompts: situation.promptLeftMs === undefined && limit !== 'urgent',
    isWake,
  };
  const parcel = await pack(parts, recipient, wish);
  if (!parcel) return undefined;
  const isStillRight = (): boolean => {
    const view = recipient.view();
    const now = parts.surroundings.clock.monotonicMs();
    const again = pickRoute({ ...situation, view, now });
    const isSame = 'route' in again && again.route === route && again.standing === standing;
    return isSame && isAtRest(view.status) === isWake;
  };
  const beganMs = parts.surroundings.clock.monotonicMs();
  const result = await inject(means, parcel, isStillRight, paste);
  if (result.outcome !== 'refused') recipient.entered?.();
  if (route === 'paste' && result.outcome === 'taken') recipient.prompted?.(beganMs);
  await record(parts, parcel, result, {
    cause: causes[route],
    ...(isWake ? { onRefused: (tx) => takeBackWake(tx, recipient.agent, parcel.messages) } : {}),
  });
  return result;
}
