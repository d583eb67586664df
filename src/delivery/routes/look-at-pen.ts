// Tests: src/delivery/routes/paste.test.ts.

import type { WaitReason } from '../../messages/wait-reason.ts';
import type { Clock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { Pen, PenLook } from '../recipient.ts';
import { isSameScreen, object, type Seen, steadyMs } from './judge-look.ts';

/** Between two looks of those that wait for something. */
export const lookEveryMs = 40;

/**
 * A look harms nobody, so one that cannot be had, while the connection to the terminal is made anew
 * say, is only that: before the paste nothing has been touched, and after it the text still stands
 * there.
 */
export async function see(pen: Pen): Promise<Seen> {
  try {
    return await pen.look();
  } catch (error) {
    if (error instanceof Fault) return 'unseen';
    throw error;
  }
}

/** Before a paste: nothing has been touched yet, so a look that fails is one that cannot be had. */
export function seeBefore(pen: Pen): Promise<Seen> {
  return see(pen).catch((error) => {
    reportBug('the look before a paste', error);
    return 'unseen' as const;
  });
}

/** Why nothing may be pasted by two looks, which must be equal (rule 24). */
export async function objectToUnsteady(pen: Pen, clock: Clock): Promise<WaitReason | undefined> {
  const firstAt = clock.monotonicMs();
  const first = await see(pen);
  const objection = object(first, firstAt);
  if (objection !== undefined) return objection;
  await clock.sleep(steadyMs);
  const secondAt = clock.monotonicMs();
  const second = await see(pen);
  const again = object(second, secondAt);
  if (again !== undefined) return again;
  const isSame = isSameScreen(first as PenLook, second as PenLook);
  return isSame ? undefined : { code: 'screen-unsteady' };
}

/** Looks until it is so; false when the time is up, or the terminal gone. */
export async function lookUntil(
  pen: Pen,
  clock: Clock,
  isSo: (look: PenLook) => boolean,
  withinMs: number,
): Promise<boolean> {
  const end = clock.monotonicMs() + withinMs;
  for (;;) {
    const look = await see(pen);
    if (typeof look !== 'string' && isSo(look)) return true;
    if (look === 'gone' || clock.monotonicMs() >= end) return false;
    await clock.sleep(lookEveryMs);
  }
}
