import type { Claim } from '../messages/claim.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import type { AttemptTrace } from '../providers/way-in.ts';
import { forgetOldest } from '../shared/forget-oldest.ts';
import { BackOff } from './back-off.ts';
import type { RecipientView } from './recipient.ts';

/**
 * What must be remembered between looks at the evidence, of one life. All of it may be lost: it
 * makes things better, not right.
 */
export interface EvidenceMemory {
  /**
   * When an attempt was first followed, on the monotonic clock: the time before a restart of ours
   * does not count.
   */
  readonly followedSince: Map<number, number>;
  /**
   * In how much rest of the agent proof of it was awaited; no clock runs while it works (rule 4).
   */
  readonly rests: Map<number, Rest>;
  /** Since when its conversation has been found left, look after look; monotonic (rule 42b). */
  readonly leftSince: Map<number, number>;
  /**
   * When last seen there, it had no answer, and a person had broken it off: the conversation that
   * was left does not tell (rule 51d).
   */
  readonly brokenOff: Set<number>;
  /** Since when, at rest, no look has known what its composer holds; monotonic (rule 12). */
  blindSince: number | undefined;
  /** Where each message that is on its way in stands, in words for a person. */
  readonly places: Map<string, WaitReason>;
  /** Seen in this turn: the CLI may still take them out again (rule 9). */
  readonly seenThisTurn: Map<number, Claim>;
  /**
   * Taken out by a person's interruption: queued again at the next turn boundary, not over that
   * person (rule 9).
   */
  readonly interrupted: Map<number, string>;
  /**
   * Given up without proof either way: proof that comes later counts all the same (rules 7, 36).
   */
  readonly doubtful: Map<number, AttemptTrace>;
  /** How long a failing model API is left alone. */
  readonly backOff: BackOff;
  /** When the CLI's own queue was last released; monotonic. */
  releasedAt: number;
  /** The newest token that it held then. */
  releasedUpTo: number;
  /** Since when what it took itself has been awaited, by token; monotonic. */
  handedOutSince: ReadonlyMap<number, number>;
  /** A person interrupted the last turn, in this conversation; undefined after any other end. */
  interruptedIn: { readonly conversation: string | undefined } | undefined;
}

/**
 * A sum of rests that are over; when the one that lasts began, and the last look into it.
 * Monotonic.
 */
interface Rest {
  readonly restedMs: number;
  readonly from?: number;
  readonly until: number;
}

/**
 * How much rest there was before the one that lasts. Each change of status makes a look, so that
 * one finds a rest just over.
 */
export function noteRest(
  { rests, followedSince }: EvidenceMemory,
  token: number,
  atRestSince: number | undefined,
  now: number,
): number {
  const known = rests.get(token) ?? { restedMs: 0, until: now };
  const since = followedSince.get(token) ?? now;
  const from = atRestSince === undefined ? {} : { from: Math.max(atRestSince, since) };
  const isOver = known.from !== undefined && known.from !== from.from;
  // One that came and went between two looks is known as far as the first of them.
  const end = atRestSince === undefined ? now : known.until;
  const restedMs = known.restedMs + (isOver ? end - (known.from ?? end) : 0);
  rests.set(token, { restedMs, ...from, until: now });
  return restedMs;
}

/** Told at every look. */
export function noteBlind(
  memory: EvidenceMemory,
  { composer, atRestSince }: Pick<RecipientView, 'composer' | 'atRestSince'>,
  now: number,
): void {
  if (composer === 'unknown' && atRestSince !== undefined) memory.blindSince ??= now;
  else memory.blindSince = undefined;
}

/** The oldest doubts are forgotten first. */
const mostDoubts = 50;

export function createEvidenceMemory(): EvidenceMemory {
  return {
    followedSince: new Map(),
    rests: new Map(),
    leftSince: new Map(),
    brokenOff: new Set(),
    blindSince: undefined,
    places: new Map(),
    seenThisTurn: new Map(),
    interrupted: new Map(),
    doubtful: new Map(),
    backOff: new BackOff(),
    releasedAt: Number.NEGATIVE_INFINITY,
    releasedUpTo: Number.NEGATIVE_INFINITY,
    handedOutSince: new Map(),
    interruptedIn: undefined,
  };
}

/** There is something to ask the evidence about besides what the ledger holds open. */
export function hasMemories({ seenThisTurn, doubtful }: EvidenceMemory): boolean {
  return seenThisTurn.size > 0 || doubtful.size > 0;
}

export function rememberDoubt(
  { doubtful }: EvidenceMemory,
  token: number,
  trace: AttemptTrace,
): void {
  doubtful.set(token, trace);
  forgetOldest(doubtful, mostDoubts);
}

/** What was decided is waited for no more. */
export function forgetWait(
  { followedSince, rests, leftSince, brokenOff }: EvidenceMemory,
  token: number,
): void {
  brokenOff.delete(token);
  followedSince.delete(token);
  rests.delete(token);
  leftSince.delete(token);
}
