// Tests: src/delivery/routes/disturbed-paste.test.ts.

import type { Clock } from '../../shared/clock.ts';
import { humanQuietMs } from '../pick-route.ts';
import type { Pen, PenLook } from '../recipient.ts';
import { holdsWhole } from './holds-text.ts';
import { isTyping } from './judge-look.ts';
import { see } from './look-at-pen.ts';

/** Nobody types a letter and takes it out again between two of these looks. */
const lookMs = 200;
/** Then it is left as it stands; what the composer holds is looked at again later (rule 12). */
const waitMs = 3 * humanQuietMs;

interface CalmMeans {
  readonly pen: Pen;
  readonly clock: Clock;
  readonly text: string;
}

/**
 * Somebody did something at the terminal between the paste and Enter. tmux tells that, and not
 * what: attaching counts, and so do keys that tmux itself takes, for copy mode say. While every
 * look finds our text alone and whole in the composer, nobody has typed into it.
 *
 * Resolves with the look that ends 3 s without a further sign of them (rule 24); with `touched` as
 * soon as anything else stands there; with `restless` when they go on.
 */
export async function waitUntilCalm(means: CalmMeans): Promise<PenLook | 'touched' | 'restless'> {
  const { pen, clock, text } = means;
  const startedAt = clock.monotonicMs();
  let stamp: string | undefined;
  let calmSince = startedAt;
  for (;;) {
    const askedAt = clock.monotonicMs();
    const look = await see(pen);
    if (look === 'gone') return 'touched';
    if (look !== 'unseen') {
      if (!holdsWhole(look, text)) return 'touched';
      if (look.typingStamp !== stamp) calmSince = askedAt;
      stamp = look.typingStamp;
      if (askedAt - calmSince >= humanQuietMs && !isTyping(look, askedAt)) return look;
    }
    if (askedAt - startedAt >= waitMs) return 'restless';
    await clock.sleep(lookMs);
  }
}
