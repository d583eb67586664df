import { takesPaste } from '../agents/takes-paste.ts';
import type { Claim } from '../messages/claim.ts';
import type { Finding } from '../providers/way-in.ts';
import { ownSpan } from '../shared/own-span.ts';
import type { RecipientView } from './recipient.ts';

/**
 * An agent at rest for so long after a hook's reply, without a trace of it, has not got it
 * (rule 11).
 */
export const hookLandMs = 5000;
/** While it rests, proof is awaited for so long (rule 4). */
export const evidenceMs = ownSpan(60_000);
/**
 * After a start the records of the life before have been read by then, or cannot be: within 15 s of
 * its first rest it is settled.
 */
export const resumeMs = { none: 5000, unknown: ownSpan(10_000) };
/** How often a draft is looked at that may be ours. */
const draftMs = 2000;
/**
 * A conversation that has been off the screen for so long has been left; a moment of it may be a
 * redraw or a reconnection.
 */
export const leftMs = 2000;

export type Verdict =
  | 'seen'
  | 'held'
  | 'absent'
  | 'no-proof'
  | 'removed'
  | 'interrupted'
  | 'lost'
  /** A person took the user's prompt back at the terminal (rule 51d). */
  | 'taken-back'
  /**
   * Nobody will read it where it stands (rule 42): taken back where the CLI can, else a marked copy
   * goes in.
   */
  | 'left'
  /** Its records are in a form that nobody here knows: `injected` is the end (rule 50). */
  | 'unconfirmed'
  /** Nothing yet; `againInMs` when time alone changes that. */
  | { readonly againInMs?: number };

export interface AttemptFacts {
  readonly claim: Pick<Claim, 'route' | 'step' | 'provable'> &
    Partial<Pick<Claim, 'takenAtMs' | 'isSubmitted'>>;
  /** It was made into the life that runs now. */
  readonly isLive: boolean;
  /** Or into an earlier one, whose conversation this life goes on with. */
  readonly isResumed: boolean;
  readonly isUncertain: boolean;
  /** It went in as a prompt of the user. */
  readonly isPrompt?: boolean;
  readonly finding: Finding;
  readonly view: RecipientView;
  readonly hasWaitingHook: boolean;
  /**
   * Both monotonic: when it was first followed, for the time before a restart of ours does not
   * count.
   */
  readonly since: number;
  readonly now: number;
  /**
   * Rest in which proof was awaited before the one that lasts now: no clock runs while the agent
   * works, and none begins anew (rule 4).
   */
  readonly restedMs?: number;
  /** Monotonic: since when each look has found its conversation left. */
  readonly leftSince?: number;
  /** Until then it stood there without an answer, broken off by a person. */
  readonly wasBrokenOff?: boolean;
  /** Monotonic: since when, at rest, no look has known what its composer holds. */
  readonly blindSince?: number;
}

/**
 * What a finding means for an attempt whose fate is open: rules 4, 9, 10, 11, 12, 42 and 50, and
 * nothing but these.
 */
export function judgeAttempt(facts: AttemptFacts): Verdict {
  const { claim, isLive, isUncertain, finding, view } = facts;
  const takenBack = judgeTakenBack(facts);
  if (takenBack !== undefined) return takenBack;
  switch (isUnreadable(facts) ? 'unknown' : finding.found) {
    case 'seen':
      return 'seen';
    case 'landed':
    case 'held':
      return judgeKept(facts);
    case 'removed':
      // Where the person went on in another conversation, no turn's end is to be waited for any
      // more.
      if (finding.because !== 'interrupted' || !isLive) return 'removed';
      return finding.isLeft && waitForLeft(facts) <= 0 ? 'removed' : 'interrupted';
    case 'absent':
      return 'absent';
    case 'none':
    case 'unknown':
      break;
  }
  // We died, or gave up, before anything outside was touched.
  if (isUncertain && claim.step === undefined) return 'absent';
  // Before it has come to rest its records may still grow.
  if (isUntold(view)) return {};
  if (!isLive) return judgeDead(facts, finding.found === 'none' ? 'none' : 'unknown');
  if (view.atRestSince === undefined) return {};
  // Rule 12: text that stands in its composer may still be sent by the person whose it is now.
  if (view.composer === 'draft') return { againInMs: draftMs };
  const blindMs = blindFor(facts);
  if (blindMs > 0) return { againInMs: blindMs };
  if (finding.isUnrecognised && !isUncertain) return judgeUnrecognised(facts, view.atRestSince);
  return judgeRest(facts, view.atRestSince);
}

/**
 * Rule 51d. Where the records do not say so, a person must have pressed a key since, and the agent
 * must rest without it: what nobody touched is not taken back, it is looked for. Until that is
 * certain nothing else is decided: given up, it would be said for them again. Undefined: this is no
 * such prompt.
 */
function judgeTakenBack(facts: AttemptFacts): Verdict | undefined {
  const { claim, isLive, isPrompt, finding, view, since, now } = facts;
  if (!isPrompt || !isLive || finding.found === 'seen') return undefined;
  if (finding.isLeft) return judgeLeftBehind(facts);
  if (finding.found === 'removed') {
    return finding.because === 'interrupted' ? 'taken-back' : undefined;
  }
  const { atRestSince, composer, status, humanKeyAt = Number.NEGATIVE_INFINITY } = view;
  if (atRestSince === undefined || composer === 'draft' || status === 'error') return undefined;
  // What was left to them, they have touched; and they may be done with it before it is followed.
  const isTouched = humanKeyAt > Math.min(since, claim.takenAtMs ?? since) || claim.step === 'left';
  if (!isTouched) return undefined;
  const isInComposer = claim.step === 'pasted' || claim.step === 'left';
  // A turn that began since may be theirs, with these words in it.
  const isUnsent = atRestSince <= (claim.takenAtMs ?? since) && !finding.isUnrecognised;
  const isRemoved = isInComposer && takesPaste(composer) && isUnsent;
  const { isTakenBackByEsc, isBeingTakenOut, isPassedOver } = finding;
  const isOut = (isTakenBackByEsc || isBeingTakenOut || isPassedOver) === true;
  const isGone = isOut || (finding.found === 'none' && isRemoved) || isDropped(facts);
  if (!isGone) return undefined;
  const waitMs = Math.max(blindFor(facts), Math.max(since, atRestSince) + hookLandMs - now);
  return waitMs > 0 ? { againInMs: waitMs } : 'taken-back';
}

/**
 * A person broke it off before any output and then went on in another conversation: it is theirs,
 * and no copy of it is made there.
 */
function judgeLeftBehind(facts: AttemptFacts): Verdict | undefined {
  const { finding, wasBrokenOff } = facts;
  const isBrokenOff = finding.isInterrupted === true || wasBrokenOff === true;
  if (finding.found !== 'landed' || finding.isUnrecognised || !isBrokenOff) return undefined;
  const waitMs = waitForLeft(facts);
  return waitMs > 0 ? { againInMs: waitMs } : 'taken-back';
}

/**
 * The CLI's hook has told of it, it has come to rest since without a word that its turn ended by
 * itself, and no record of it can be found: a person broke it off before there was one.
 */
function isDropped({ claim, finding, view }: AttemptFacts): boolean {
  const { brokenOffAt = Number.NEGATIVE_INFINITY } = view;
  const isSilent = finding.found === 'none' || finding.found === 'unknown';
  if (!isSilent || finding.isUnrecognised || finding.isUnasked) return false;
  return claim.isSubmitted === true && brokenOffAt > (claim.takenAtMs ?? Number.POSITIVE_INFINITY);
}

/**
 * Rule 12: at the end of a turn, or while its screen changes, it is not known for a moment whether
 * a draft stands in its composer, which may be this text. For how long that is still waited for;
 * one that is never known does not keep anything back for good.
 */
function blindFor({ view, blindSince, now }: AttemptFacts): number {
  if (view.composer !== 'unknown' || blindSince === undefined) return 0;
  return Math.max(0, blindSince + hookLandMs - now);
}

/**
 * It stands in a conversation, or in a queue of the CLI's own: it will be read there, as long as
 * that is what the terminal shows. A queue that an interruption has paused is released (rule 22),
 * what a person interrupted is theirs to go on with (42c), and a failing API has its reminders.
 * Whatever else rests unread for a minute is given up (42d).
 */
function judgeKept(facts: AttemptFacts): Verdict {
  const { isLive, isUncertain, finding, view, since, now } = facts;
  const isElsewhere = !isLive && !facts.isResumed;
  if (isElsewhere && !isUncertain) return 'lost';
  if (isElsewhere || finding.isLeft) {
    // It cannot be taken back before the CLI is up.
    if (finding.found === 'held' && isUntold(view)) return {};
    const waitMs = isElsewhere ? 0 : waitForLeft(facts);
    return waitMs > 0 ? { againInMs: waitMs } : 'left';
  }
  if (isUncertain) return 'held';
  const { status, composer, atRestSince, humanKeyAt = Number.NEGATIVE_INFINITY } = view;
  const isTheirs = finding.isInterrupted === true || composer === 'draft';
  if (isTheirs || status === 'error' || atRestSince === undefined) return {};
  const proofMs = Math.max(since, atRestSince, humanKeyAt) + evidenceMs - now;
  const waitMs = Math.max(blindFor(facts), proofMs);
  return waitMs > 0 ? { againInMs: waitMs } : 'left';
}

function waitForLeft({ leftSince, now }: AttemptFacts): number {
  return (leftSince ?? now) + leftMs - now;
}

function isUntold({ status }: RecipientView): boolean {
  return status === 'starting' || status === 'unknown' || status === 'exited';
}

/**
 * Of an ended life no more is written; but its records may be read late, by a CLI that has only
 * just started (rule 10). What that CLI was seen to hold is not lost because it cannot be asked
 * once (rule 41).
 */
function judgeDead(
  { claim, isUncertain, view, since, now, restedMs: before = 0 }: AttemptFacts,
  found: 'none' | 'unknown',
): Verdict {
  if (view.atRestSince === undefined) return {};
  const limitMs = isUncertain ? resumeMs[found] : evidenceMs;
  const waitMs = claim.provable ? limitMs - before : 0;
  const restedMs = now - Math.max(since, view.atRestSince);
  if (restedMs < waitMs) return { againInMs: waitMs - restedMs };
  return isUncertain ? 'no-proof' : 'lost';
}

/**
 * Rule 50. What a person interrupted or the API refused has no answer for a reason that we know;
 * and that a message stands in its queue the CLI says itself, whatever form its records have.
 */
function isUnreadable({ finding, isLive, view }: AttemptFacts): boolean {
  if (!finding.isUnrecognised || finding.found === 'held') return false;
  const isExplained = finding.isInterrupted === true || view.status === 'error';
  return !(isLive && finding.found === 'landed' && isExplained);
}

/** Its turn is over, and all that it left is written: batches of records take up to 300 ms. */
function judgeUnrecognised({ since, now }: AttemptFacts, atRestSince: number): Verdict {
  const waitMs = Math.max(since, atRestSince) + hookLandMs - now;
  return waitMs > 0 ? { againInMs: waitMs } : 'unconfirmed';
}

function judgeRest(facts: AttemptFacts, atRestSince: number): Verdict {
  const { claim, isUncertain, finding, hasWaitingHook, since, now } = facts;
  const restedMs = now - Math.max(since, atRestSince);
  const isReply = claim.route !== 'paste' && (claim.route !== 'native' || hasWaitingHook);
  const isDue = isReply || isDeleted(facts, atRestSince);
  if (isDue && finding.found === 'none' && !finding.isUnrecognised) {
    return restedMs >= hookLandMs ? 'absent' : { againInMs: hookLandMs - restedMs };
  }
  // Where no proof can come, none is awaited: only that it rests, and is not about to show what it
  // was given (rules 8, 10).
  const limitMs = claim.provable ? evidenceMs - (facts.restedMs ?? 0) : hookLandMs;
  if (restedMs < limitMs) return { againInMs: limitMs - restedMs };
  return isUncertain ? 'no-proof' : 'lost';
}

/**
 * Rule 12: a person has pressed keys since the paste, Enter was not pressed by us, and the text is
 * gone from the composer. Since the claim no turn has begun, so they have not sent it either.
 */
function isDeleted({ claim, view, isLive }: AttemptFacts, atRestSince: number): boolean {
  const { step, takenAtMs = Number.NEGATIVE_INFINITY } = claim;
  const { composer, humanKeyAt = Number.NEGATIVE_INFINITY } = view;
  const isTheirs = step === 'left' || (step === 'pasted' && humanKeyAt > takenAtMs);
  return isLive && isTheirs && takesPaste(composer) && atRestSince <= takenAtMs;
}
