// Tests: src/delivery/routes/paste-guard.test.ts.

import { takesPaste } from '../../agents/takes-paste.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Carried } from '../carried.ts';
import type { Pen } from '../recipient.ts';
import { see } from './look-at-pen.ts';

/** So often it is looked whether the person has paused, a stamp's resolution apart. */
const looks = 8;
const lookMs = 1000;

interface LeaveMeans {
  readonly pen: Pen;
  readonly clock: Clock;
  readonly note: (step: 'left') => Promise<void>;
}

/**
 * A person typed between the paste and Enter: what stands in the composer now is theirs (rule 12).
 * Nothing is pressed and nothing is cleared; they are told whose text that is, and once more when
 * they pause, since a key of theirs ends what their terminal shows. The evidence says what became
 * of it.
 */
export async function leaveToPerson({ pen, clock, note }: LeaveMeans): Promise<Carried> {
  await note('left');
  await pen.tell?.('paste-left');
  let stamp: string | undefined;
  for (let tries = 0; tries < looks; tries++) {
    const look = await see(pen);
    if (look === 'gone') break;
    if (look !== 'unseen') {
      // Sent, or deleted: there is nothing to tell any more.
      if (takesPaste(look.composer)) break;
      const isPaused = tries > 0 && look.typingStamp === stamp;
      if (isPaused) await pen.tell?.('paste-left');
      if (isPaused) break;
      stamp = look.typingStamp;
    }
    await clock.sleep(lookMs);
  }
  return { outcome: 'unknown', reason: { code: 'paste-touched' } };
}
