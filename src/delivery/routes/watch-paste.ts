// Tests: src/delivery/routes/enter-soon.test.ts, and those beside it.

import { takesPaste } from '../../agents/takes-paste.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Carried } from '../carried.ts';
import type { Pen, PenLook } from '../recipient.ts';
import { holdsWhole } from './holds-text.ts';
import { isSentSince, type Seen } from './judge-look.ts';
import { lookEveryMs, lookUntil } from './look-at-pen.ts';
import { notSent, sendMs, taken } from './press-enter.ts';

/** For the program to show what was pasted, on a busy machine. */
const showMs = 5000;
/**
 * Gemini CLI 0.61.0 takes an Enter within 40 ms of a paste for a new line of its text, and shows
 * the paste before that; on a busy machine 100 ms were not enough. 300 ms satisfy all that were
 * tried. Where a provider says how soon Enter may follow a text that is seen whole, it does: in
 * that time a person may type into the text.
 */
export const enterAfterMs = 300;
const enterAfterShownMs = 250;
/** A text that is not seen whole by then is long, and folded in a way that is not known. */
const wholeMs = 200;

interface Watched {
  readonly pen: Pen;
  readonly clock: Clock;
}

export interface PastedAt {
  readonly text: string;
  /** On the monotonic clock. */
  readonly pastedAt: number;
  readonly soonMs: number | undefined;
}

/** Whether the pasted text stands in the composer, at a time when Enter may follow. */
export async function waitUntilShown(
  { pen, clock }: Watched,
  { text, pastedAt, soonMs }: PastedAt,
): Promise<boolean> {
  const until = (isSo: (look: PenLook) => boolean, withinMs: number): Promise<boolean> =>
    lookUntil(pen, clock, isSo, withinMs);
  // There is time, and others may be waiting for their own text: nobody is looked at in the first
  // moments.
  await clock.sleep(lookEveryMs);
  // A program that is only described by its empty composer shows a draft by not being empty.
  const isShown = ({ composer }: PenLook): boolean => !takesPaste(composer);
  if (!(await until(isShown, showMs))) return false;
  const isWhole = (look: PenLook): boolean => holdsWhole(look, text);
  if (soonMs !== undefined && (await until(isWhole, wholeMs))) {
    await clock.sleep(soonMs);
    return true;
  }
  const leftMs = pastedAt + enterAfterMs - clock.monotonicMs();
  await clock.sleep(Math.max(leftMs, enterAfterShownMs));
  // A screen that was half redrawn is not empty either: then the paste itself is still to come
  // (Gemini CLI 0.61.0, busy machine).
  return until(isShown, showMs);
}

/** Enter went along. It is never pressed again: whoever comes after it finds a draft. */
export async function verifyEntered({ pen, clock }: Watched, before: Seen): Promise<Carried> {
  const isGone = (look: PenLook): boolean => isSentSince(before, look);
  const isShown = (look: PenLook): boolean => !takesPaste(look.composer) || isGone(look);
  if (!(await lookUntil(pen, clock, isShown, showMs))) return notShown;
  return (await lookUntil(pen, clock, isGone, sendMs)) ? taken : notSent;
}

export const notShown: Carried = { outcome: 'unknown', reason: { code: 'paste-unshown' } };
