// Tests: src/delivery/routes/paste.test.ts, src/delivery/routes/paste-guard.test.ts.

import type { Clock } from '../../shared/clock.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import type { WriteGuard } from '../../terminals/backend.ts';
import type { Carried } from '../carried.ts';
import { isKeyObstacle } from '../key-obstacles.ts';
import type { Pen, PenLook } from '../recipient.ts';
import { doubtEnter, isSameScreen, isSent, type Seen } from './judge-look.ts';
import { leaveToPerson } from './leave-to-person.ts';
import { lookUntil, see } from './look-at-pen.ts';

/** For the program to show what it made of Enter, on a busy machine. */
export const sendMs = 1500;
const mostEnters = 3;

interface EnterMeans {
  readonly pen: Pen;
  readonly clock: Clock;
  /** Since then every key of a person is one into the text. */
  readonly startedAt: number;
  /** The same for the backend, which asks in the very command that presses. */
  readonly guard: WriteGuard;
  /** On disk before anything is done about it. */
  readonly note: (step: 'entered' | 'left') => Promise<void>;
}

/**
 * Presses Enter until the text is gone from the composer; again only while it is provably still
 * there: the look shows it, and the cursor has not left its place when Enter comes. Never into a
 * menu or dialog that has come over it, and what was gone before Enter is none of our doing: the
 * evidence says what became of it.
 */
export async function pressEnter(means: EnterMeans): Promise<Carried> {
  const { pen, clock, startedAt, note } = means;
  for (let tries = 0; tries < mostEnters; tries++) {
    const before = await see(pen);
    if (typeof before !== 'string' && tries > 0 && isSent(before)) return taken;
    const doubt = doubtEnter(before, startedAt);
    if (doubt?.code === 'paste-touched') return leaveToPerson(means);
    if (doubt !== undefined) return { outcome: 'unknown', reason: doubt };
    const guard = guardEnter(means, tries === 0 ? undefined : before);
    const answer = await pen.write(Buffer.from('\r'), { guard });
    if (answer === 'unknown') return { outcome: 'unknown', reason: { code: 'enter-lost' } };
    if (answer === 'typed') return leaveToPerson(means);
    // Pasted, and something came in between: what stands there is finished when that is over
    // (rules 12, 45).
    const obstacle = answer === 'covered' ? 'screen-covered' : answer;
    const isFirst = obstacle === 'screen-covered' && tries === 0;
    if (isFirst || isKeyObstacle(obstacle)) {
      return { outcome: 'unknown', reason: { code: 'enter-waits', obstacle } };
    }
    if (answer === 'written') {
      await note('entered');
      await reachFailPoint('paste.entered');
    }
    if (await lookUntil(pen, clock, isSent, sendMs)) return taken;
    const after = await see(pen);
    // Swallowed, or taken for a new line: the draft that nobody else has touched is still ours.
    // Where a draft is not told from anything else, only a screen that has not changed proves that.
    if (typeof after === 'string') break;
    if (after.composer !== 'draft' && !isSameScreen(before as PenLook, after)) break;
  }
  return notSent;
}

/** `again`: the look that shows the text after an Enter that did not send it. */
function guardEnter({ pen, guard }: EnterMeans, again: Seen | undefined): WriteGuard {
  const absent = pen.screenGuard?.absent;
  const cursor = again === undefined || typeof again === 'string' ? undefined : again.cursor;
  return {
    ...guard,
    ...(absent === undefined ? {} : { screen: { absent } }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

export const taken: Carried = { outcome: 'taken' };
export const notSent: Carried = {
  outcome: 'unknown',
  reason: { code: 'enter-without-effect' },
};
