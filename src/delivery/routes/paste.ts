import type { Injected } from '../../providers/way-in.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import type { KeyObstacle, Written } from '../../terminals/backend.ts';
import { keyObstacles } from '../key-obstacles.ts';
import type { DeliveryParts } from '../parts.ts';
import { humanQuietMs } from '../pick-route.ts';
import type { Pen, PenLook, RecipientView } from '../recipient.ts';
import { EarlyPaste, isSteady, type Seen, see, steadyMs } from './early-paste.ts';

/** For the program to show what was pasted, and what it made of Enter; on a busy machine. */
const showMs = 5000;
const sendMs = 1500;
const lookEveryMs = 40;
/**
 * Gemini CLI 0.61.0 takes an Enter within 40 ms of a paste for a new line of its text, and shows
 * the paste before that; on a busy machine 100 ms were not enough. 300 ms satisfy all that were
 * tried.
 */
export const enterAfterMs = 300;
const enterAfterShownMs = 250;
const mostEnters = 3;

/** What the paste needs of the attempt. */
export interface PasteAct {
  readonly text: string;
  readonly early?: EarlyPaste | undefined;
  readonly begin: () => Promise<boolean>;
  /** Each step on disk before the next (rule 12). */
  readonly note: (step: 'pasted' | 'entered') => Promise<void>;
}

/**
 * Route `paste`: the text as one bracketed paste, then Enter, each verified by looking (rule 24).
 * Nothing is typed unless the composer is proven empty twice; a person's draft is never touched,
 * and Enter is pressed only while the text is there and nobody else has typed.
 */
export async function paste(
  parts: DeliveryParts,
  pen: Pen,
  view: () => RecipientView,
  act: PasteAct,
): Promise<Injected> {
  const obstacle = await findObstacle(parts, pen, view());
  if (obstacle !== undefined) return { outcome: 'refused', reason: obstacle };
  const { clock } = parts.surroundings;
  const early = act.early ?? new EarlyPaste(parts, pen, view());
  const atFirst = await findEarlyObjection(early);
  if (atFirst !== undefined) return { outcome: 'refused', reason: atFirst };
  if (!(await act.begin())) return { outcome: 'refused', reason: 'its claim no longer held' };
  // The ledger may have kept us waiting, and a person may have begun to type.
  const isFresh = early.isStillTrue(view(), clock.monotonicMs());
  const objection = isFresh ? undefined : await findObjection(parts, pen);
  if (objection !== undefined) return { outcome: 'refused', reason: objection };
  const startedAt = early.askedAt;
  const written = await early.write(act.text);
  if (written === 'unknown') {
    return { outcome: 'unknown', reason: 'the connection to its terminal was lost in a paste' };
  }
  if (written !== 'written') return { outcome: 'refused', reason: notWritten[written] };
  const pastedAt = clock.monotonicMs();
  await act.note('pasted');
  await reachFailPoint('paste.pasted');
  // There is time, and others may be waiting for their own text: nobody is looked at in the first
  // moments.
  await clock.sleep(lookEveryMs);
  // A program that is only described by its empty composer shows a draft by not being empty.
  const isShown = ({ composer }: PenLook): boolean => composer !== 'empty';
  if (!(await waitFor(parts, pen, isShown))) return notShown;
  const leftMs = pastedAt + enterAfterMs - clock.monotonicMs();
  await clock.sleep(Math.max(leftMs, enterAfterShownMs));
  // A screen that was half redrawn is not empty either: then the paste itself is still to come
  // (Gemini CLI 0.61.0, busy machine).
  if (!(await waitFor(parts, pen, isShown))) return notShown;
  return enter(parts, pen, startedAt, act);
}

/**
 * Presses Enter until the text is gone from the composer; again only while it is provably still
 * there. Never into a menu or dialog that has come over it, and what was gone before Enter is none
 * of our doing: the evidence says what became of it.
 */
export async function enter(
  parts: DeliveryParts,
  pen: Pen,
  startedAt: number,
  act: Pick<PasteAct, 'note'>,
): Promise<Injected> {
  for (let tries = 0; tries < mostEnters; tries++) {
    const before = await see(pen);
    if (before === 'unseen')
      return { outcome: 'unknown', reason: 'the connection was lost before Enter' };
    if (before === 'gone') return { outcome: 'unknown', reason: 'its terminal is gone' };
    if (tries > 0 && isSent(before)) return taken;
    if (isSent(before) || before.composer === 'hidden') {
      return { outcome: 'unknown', reason: 'what was pasted is out of sight' };
    }
    if ((before.humanKeyAt ?? Number.NEGATIVE_INFINITY) >= startedAt) {
      return { outcome: 'unknown', reason: 'a person typed into what was pasted' };
    }
    const pressed = await pen.write(Buffer.from('\r'));
    if (pressed === 'unknown')
      return { outcome: 'unknown', reason: 'the connection was lost at Enter' };
    // Pasted, and a person came in between: what stands there is finished when that is over
    // (rules 12, 45).
    if (isObstacle(pressed)) {
      return { outcome: 'unknown', reason: `pasted; Enter waits: ${keyObstacles[pressed]}` };
    }
    if (pressed === 'written') {
      await act.note('entered');
      await reachFailPoint('paste.entered');
    }
    if (await waitFor(parts, pen, isSent, sendMs)) return taken;
    const after = await see(pen);
    // Swallowed, or taken for a new line: the draft that nobody else has touched is still ours.
    // Where a draft is not told from anything else, only a screen that has not changed proves that.
    if (typeof after === 'string' || (after.composer !== 'draft' && !isSameScreen(before, after)))
      break;
  }
  return { outcome: 'unknown', reason: 'Enter did not send what was pasted' };
}

const taken: Injected = { outcome: 'taken' };
const notShown: Injected = {
  outcome: 'unknown',
  reason: 'its composer does not show what was pasted',
};

/** The composer is empty again, or the program works or asks because of it. */
function isSent({ composer, status }: PenLook): boolean {
  return composer === 'empty' || status === 'processing' || status === 'waiting';
}

/** Why it must not be done now; undefined when it may. */
async function findObstacle(
  parts: DeliveryParts,
  pen: Pen,
  view: RecipientView,
): Promise<string | undefined> {
  const { clock } = parts.surroundings;
  // The one beside `begin` is the second.
  if (isSteady(view, clock.monotonicMs())) return undefined;
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
  return isSame ? undefined : 'its screen is not steady';
}

/** Why nothing may be pasted at this moment; it costs one look, and no claim. */
export async function findObjection(
  { surroundings }: Pick<DeliveryParts, 'surroundings'>,
  pen: Pen,
): Promise<string | undefined> {
  const askedAt = surroundings.clock.monotonicMs();
  return object(await see(pen), askedAt);
}

/** The same of a look that was asked for beforehand. */
export async function findEarlyObjection(early: EarlyPaste): Promise<string | undefined> {
  return object(await early.look, early.askedAt);
}

/**
 * A look may be long on its way, and knows of no key that a person pressed meanwhile: it is as old
 * as its asking.
 */
function object(look: Seen, askedAt: number): string | undefined {
  if (look === 'gone') return notWritten.gone;
  if (look === 'unseen') return notWritten.unsent;
  if (look.obstacle !== undefined) return keyObstacles[look.obstacle];
  if (look.status !== 'idle' && look.status !== 'completed' && look.status !== 'error') {
    return 'it is not at rest any more';
  }
  if (look.composer !== 'empty') return 'its composer is not proven empty';
  const isTyping = askedAt - (look.humanKeyAt ?? Number.NEGATIVE_INFINITY) < humanQuietMs;
  return isTyping ? 'a person is typing in its terminal' : undefined;
}

function isObstacle(written: Written): written is KeyObstacle {
  return written in keyObstacles;
}

function isSameScreen(a: PenLook, b: PenLook): boolean {
  return a.lines.length === b.lines.length && a.lines.every((line, i) => line === b.lines[i]);
}

async function waitFor(
  parts: DeliveryParts,
  pen: Pen,
  isSo: (look: PenLook) => boolean,
  withinMs = showMs,
): Promise<boolean> {
  const { clock } = parts.surroundings;
  const end = clock.monotonicMs() + withinMs;
  for (;;) {
    const look = await see(pen);
    if (typeof look !== 'string' && isSo(look)) return true;
    if (look === 'gone' || clock.monotonicMs() >= end) return false;
    await clock.sleep(lookEveryMs);
  }
}

const notWritten = {
  ...keyObstacles,
  gone: 'its terminal is gone, or its program has ended',
  unsent: 'there is no connection to its terminal',
  refused: 'its terminal takes no typing from us',
} as const;
