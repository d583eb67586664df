// Tests: src/delivery/routes/paste.test.ts, src/delivery/routes/notice.test.ts.

import { explainSmall } from '../../agents/explain-small.ts';
import { takesPaste } from '../../agents/takes-paste.ts';
import type { WaitReason } from '../../messages/wait-reason.ts';
import type { WriteGuard, Written } from '../../terminals/writing.ts';
import { isKeyObstacle } from '../key-obstacles.ts';
import { humanQuietMs } from '../pick-route.ts';
import type { PenLook, RecipientView } from '../recipient.ts';

/** Two equal looks so far apart, the earlier of which may be the status monitor's (rule 24). */
export const steadyMs = 300;

export type Seen = PenLook | 'gone' | 'unseen';

/**
 * Why nothing may be pasted by this look; undefined when something may. A look may be long on its
 * way, and knows of no key that a person pressed meanwhile: it is as old as its asking.
 */
export function object(look: Seen, askedAt: number): WaitReason | undefined {
  if (look === 'gone') return { code: 'terminal-ended' };
  if (look === 'unseen') return { code: 'terminal-unconnected' };
  if (look.obstacle !== undefined) return { code: look.obstacle };
  if (look.tooSmall !== undefined) return explainSmall(look.tooSmall);
  if (look.status !== 'idle' && look.status !== 'completed' && look.status !== 'error') {
    return { code: 'not-at-rest' };
  }
  if (!takesPaste(look.composer)) return { code: 'composer-unproven' };
  return isTyping(look, askedAt) ? { code: 'person-typing' } : undefined;
}

/** A key that is pressed while the look is on its way must count as one that came after it. */
export function isTyping({ humanKeyAt }: PenLook, askedAt: number): boolean {
  return askedAt - (humanKeyAt ?? Number.NEGATIVE_INFINITY) < humanQuietMs;
}

/** The status monitor's look is the first of the two that a paste needs (rule 24). */
export function isSteady({ emptySince }: RecipientView, now: number): boolean {
  return emptySince !== undefined && now - emptySince >= steadyMs;
}

/** The condition of a write that was decided by this look: no person has typed since. */
export function sinceLook(look: Seen): WriteGuard {
  const isStamped = typeof look !== 'string' && look.typingStamp !== undefined;
  return isStamped ? { untypedSince: look.typingStamp } : {};
}

export function isSameScreen(a: PenLook, b: PenLook): boolean {
  return a.lines.length === b.lines.length && a.lines.every((line, i) => line === b.lines[i]);
}

/** The composer is empty again, or the program works or asks because of it. */
export function isSent(look: PenLook): boolean {
  return takesPaste(look.composer) || isAtWork(look);
}

/**
 * The same where Enter went along with the text, which may have come and gone between two looks: a
 * composer that is empty proves nothing unless the screen is another than it was before.
 */
export function isSentSince(before: Seen, look: PenLook): boolean {
  const isOther = typeof before !== 'string' && !isSameScreen(before, look);
  return isAtWork(look) || (takesPaste(look.composer) && isOther);
}

function isAtWork({ status }: PenLook): boolean {
  return status === 'processing' || status === 'waiting';
}

/**
 * Why it is not known whether Enter would send our text and nothing else; undefined when it is.
 * `startedAt`: since then every key is one into our text.
 */
export function doubtEnter(look: Seen, startedAt: number): WaitReason | undefined {
  if (look === 'unseen') return { code: 'enter-unseen' };
  if (look === 'gone') return { code: 'terminal-gone' };
  if (isSent(look) || look.composer === 'hidden') return { code: 'paste-out-of-sight' };
  const isTouched = (look.humanKeyAt ?? Number.NEGATIVE_INFINITY) >= startedAt;
  return isTouched ? { code: 'paste-touched' } : undefined;
}

/** Why a write has reached nobody. */
export function explainUnwritten(written: Exclude<Written, 'written' | 'unknown'>): WaitReason {
  if (isKeyObstacle(written)) return { code: written };
  if (written === 'typed') return { code: 'person-typed' };
  if (written === 'covered') return { code: 'screen-covered' };
  if (written === 'gone') return { code: 'terminal-ended' };
  return { code: written === 'unsent' ? 'terminal-unconnected' : 'typing-refused' };
}
