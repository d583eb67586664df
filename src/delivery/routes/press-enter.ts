// Tests: src/delivery/routes/paste.test.ts, src/delivery/routes/notice.test.ts.

import type { Clock } from '../../shared/clock.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import type { Carried } from '../carried.ts';
import { isKeyObstacle } from '../key-obstacles.ts';
import type { Pen, PenLook } from '../recipient.ts';
import { doubtEnter, isSameScreen, isSent } from './judge-look.ts';
import { lookUntil, see } from './look-at-pen.ts';

/** For the program to show what it made of Enter, on a busy machine. */
export const sendMs = 1500;
const mostEnters = 3;

interface EnterMeans {
  readonly pen: Pen;
  readonly clock: Clock;
  /** Since then every key of a person is one into the text. */
  readonly startedAt: number;
  /** Enter was pressed; on disk before it is looked at. */
  readonly note: () => Promise<void>;
}

/**
 * Presses Enter until the text is gone from the composer; again only while it is provably still
 * there. Never into a menu or dialog that has come over it, and what was gone before Enter is none
 * of our doing: the evidence says what became of it. `pressed`: so often it was pressed before.
 */
export async function pressEnter(
  { pen, clock, startedAt, note }: EnterMeans,
  pressed: number,
): Promise<Carried> {
  for (let tries = pressed; tries < mostEnters; tries++) {
    const before = await see(pen);
    if (typeof before !== 'string' && tries > 0 && isSent(before)) return taken;
    const doubt = doubtEnter(before, startedAt);
    if (doubt !== undefined) return { outcome: 'unknown', reason: doubt };
    const answer = await pen.write(Buffer.from('\r'));
    if (answer === 'unknown') return { outcome: 'unknown', reason: { code: 'enter-lost' } };
    // Pasted, and a person came in between: what stands there is finished when that is over
    // (rules 12, 45).
    if (isKeyObstacle(answer)) {
      return { outcome: 'unknown', reason: { code: 'enter-waits', obstacle: answer } };
    }
    if (answer === 'written') {
      await note();
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

export const taken: Carried = { outcome: 'taken' };
export const notSent: Carried = {
  outcome: 'unknown',
  reason: { code: 'enter-without-effect' },
};
