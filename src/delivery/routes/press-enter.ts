// Tests: src/delivery/routes/paste.test.ts, src/delivery/routes/disturbed-paste.test.ts.

import type { Clock } from '../../shared/clock.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import type { WriteGuard } from '../../terminals/writing.ts';
import type { Carried } from '../carried.ts';
import { isKeyObstacle } from '../key-obstacles.ts';
import type { Pen, PenLook } from '../recipient.ts';
import { doubtEnter, isSameScreen, isSent, type Seen, sinceLook } from './judge-look.ts';
import { leaveToPerson } from './leave-to-person.ts';
import { lookUntil, see } from './look-at-pen.ts';
import { waitUntilCalm } from './wait-until-calm.ts';

/** For the program to show what it made of Enter, on a busy machine. */
export const sendMs = 1500;
const mostEnters = 3;
/** After an Enter that was taken for a new line. */
const tooSoonMs = 250;

interface EnterMeans {
  readonly pen: Pen;
  readonly clock: Clock;
  /** What was pasted. */
  readonly text: string;
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
 * evidence says what became of it. Somebody who did something at the terminal, and typed nothing
 * into the text, only delays it.
 */
export async function pressEnter(means: EnterMeans): Promise<Carried> {
  const { pen, clock, note } = means;
  let { startedAt, guard: since } = means;
  let tries = 0;
  for (let turns = 0; turns < mostEnters; turns++) {
    const before = await see(pen);
    if (typeof before !== 'string' && tries > 0 && isSent(before)) return taken;
    const doubt = doubtEnter(before, startedAt);
    const isTouched = doubt?.code === 'paste-touched';
    if (doubt !== undefined && !isTouched) return { outcome: 'unknown', reason: doubt };
    const guard = guardEnter(pen, since, tries === 0 ? undefined : before);
    const answer = isTouched ? 'typed' : await pen.write(Buffer.from('\r'), { guard });
    if (answer === 'unknown') return { outcome: 'unknown', reason: { code: 'enter-lost' } };
    if (answer === 'typed') {
      // After an Enter of ours nobody knows whose text stands there.
      const calm = tries > 0 ? 'touched' : await waitUntilCalm(means);
      if (calm === 'touched') return leaveToPerson(means);
      if (calm === 'restless') return restless;
      // Whatever they did was before this look.
      startedAt = clock.monotonicMs();
      since = sinceLook(calm);
      continue;
    }
    tries++;
    // Pasted, and something came in between: what stands there is finished when that is over
    // (rules 12, 45).
    const obstacle = answer === 'covered' ? 'screen-covered' : answer;
    const isFirst = obstacle === 'screen-covered' && tries === 1;
    if (isFirst || isKeyObstacle(obstacle)) {
      return { outcome: 'unknown', reason: { code: 'enter-waits', obstacle } };
    }
    if (answer === 'written') {
      await note('entered');
      await reachFailPoint('paste.entered');
    }
    const isDecided = (look: PenLook): boolean => isSent(look) || isNewLine(before, look);
    await lookUntil(pen, clock, isDecided, sendMs);
    const after = await see(pen);
    if (typeof after !== 'string' && isSent(after)) return taken;
    // It came too soon; the next one must not.
    if (typeof after !== 'string' && isNewLine(before, after)) await clock.sleep(tooSoonMs);
    // Swallowed, or taken for a new line: the draft that nobody else has touched is still ours.
    // Where a draft is not told from anything else, only a screen that has not changed proves that.
    if (typeof after === 'string') break;
    if (after.composer !== 'draft' && !isSameScreen(before as PenLook, after)) break;
  }
  return notSent;
}

/** The text still stands there, and the cursor has gone to the beginning of a row. */
function isNewLine(before: Seen, { composer, cursor }: PenLook): boolean {
  if (typeof before === 'string' || before.cursor === undefined || cursor === undefined)
    return false;
  return composer === 'draft' && cursor.x < before.cursor.x;
}

/** `again`: the look that shows the text after an Enter that did not send it. */
function guardEnter({ screenGuard }: Pen, guard: WriteGuard, again: Seen | undefined): WriteGuard {
  const absent = screenGuard?.absent;
  const cursor = again === undefined || typeof again === 'string' ? undefined : again.cursor;
  return {
    ...guard,
    ...(absent === undefined ? {} : { screen: { absent } }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

const restless: Carried = {
  outcome: 'unknown',
  reason: { code: 'enter-waits', obstacle: 'person-typing' },
};
export const taken: Carried = { outcome: 'taken' };
export const notSent: Carried = {
  outcome: 'unknown',
  reason: { code: 'enter-without-effect' },
};
