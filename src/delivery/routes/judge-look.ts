import type { Written } from '../../terminals/backend.ts';
import { keyObstacles } from '../key-obstacles.ts';
import { humanQuietMs } from '../pick-route.ts';
import type { PenLook, RecipientView } from '../recipient.ts';

/** Two equal looks so far apart, the earlier of which may be the status monitor's (rule 24). */
export const steadyMs = 300;

export type Seen = PenLook | 'gone' | 'unseen';

/**
 * Why nothing may be pasted by this look; undefined when something may. A look may be long on its
 * way, and knows of no key that a person pressed meanwhile: it is as old as its asking.
 */
export function object(look: Seen, askedAt: number): string | undefined {
  if (look === 'gone') return notWritten.gone;
  if (look === 'unseen') return notWritten.unsent;
  if (look.obstacle !== undefined) return keyObstacles[look.obstacle];
  if (look.status !== 'idle' && look.status !== 'completed' && look.status !== 'error') {
    return 'it is not at rest any more';
  }
  if (look.composer !== 'empty') return 'its composer is not proven empty';
  return isTyping(look, askedAt) ? 'a person is typing in its terminal' : undefined;
}

/** A key that is pressed while the look is on its way must count as one that came after it. */
export function isTyping({ humanKeyAt }: PenLook, askedAt: number): boolean {
  return askedAt - (humanKeyAt ?? Number.NEGATIVE_INFINITY) < humanQuietMs;
}

/** The status monitor's look is the first of the two that a paste needs (rule 24). */
export function isSteady({ emptySince }: RecipientView, now: number): boolean {
  return emptySince !== undefined && now - emptySince >= steadyMs;
}

export function isSameScreen(a: PenLook, b: PenLook): boolean {
  return a.lines.length === b.lines.length && a.lines.every((line, i) => line === b.lines[i]);
}

/** The composer is empty again, or the program works or asks because of it. */
export function isSent(look: PenLook): boolean {
  return look.composer === 'empty' || isAtWork(look);
}

/**
 * The same where Enter went along with the text, which may have come and gone between two looks: a
 * composer that is empty proves nothing unless the screen is another than it was before.
 */
export function isSentSince(before: Seen, look: PenLook): boolean {
  const isOther = typeof before !== 'string' && !isSameScreen(before, look);
  return isAtWork(look) || (look.composer === 'empty' && isOther);
}

function isAtWork({ status }: PenLook): boolean {
  return status === 'processing' || status === 'waiting';
}

/**
 * Why it is not known whether Enter would send our text and nothing else; undefined when it is.
 * `startedAt`: since then every key is one into our text.
 */
export function doubtEnter(look: Seen, startedAt: number): string | undefined {
  if (look === 'unseen') return 'the connection was lost before Enter';
  if (look === 'gone') return 'its terminal is gone';
  if (isSent(look) || look.composer === 'hidden') return 'what was pasted is out of sight';
  const isTouched = (look.humanKeyAt ?? Number.NEGATIVE_INFINITY) >= startedAt;
  return isTouched ? 'a person typed into what was pasted' : undefined;
}

/** Why a write has reached nobody. */
export const notWritten: Readonly<Record<Exclude<Written, 'written' | 'unknown'>, string>> = {
  ...keyObstacles,
  gone: 'its terminal is gone, or its program has ended',
  unsent: 'there is no connection to its terminal',
  refused: 'its terminal takes no typing from us',
};
