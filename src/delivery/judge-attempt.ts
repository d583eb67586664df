import type { Claim } from '../messages/claim.ts';
import type { Finding } from '../providers/way-in.ts';
import type { RecipientView } from './recipient.ts';

/** An agent at rest for so long after a hook's reply, without a trace of it, has not got it (rule 11). */
export const hookLandMs = 5000;
/** While it rests, proof is awaited for so long (rule 4). */
export const evidenceMs = 60_000;
/** After a start the records of the life before have been read by then. */
export const resumeMs = 10_000;
/** How often a draft is looked at that may be ours. */
const draftMs = 2000;

export type Verdict =
  | 'seen'
  | 'held'
  | 'absent'
  | 'no-proof'
  | 'removed'
  | 'interrupted'
  | 'lost'
  /** Nothing yet; `againInMs` when time alone changes that. */
  | { readonly againInMs?: number };

export interface AttemptFacts {
  readonly claim: Pick<Claim, 'route' | 'step' | 'provable'>;
  /** It was made into the life that runs now. */
  readonly isLive: boolean;
  /** Or into an earlier one, whose conversation this life goes on with. */
  readonly isResumed: boolean;
  readonly isUncertain: boolean;
  readonly finding: Finding;
  readonly view: RecipientView;
  readonly hasWaitingHook: boolean;
  /** Both monotonic: when it was first followed, for the time before a restart of ours does not count. */
  readonly since: number;
  readonly now: number;
}

/** What a finding means for an attempt whose fate is open: rules 4, 9, 10, 11 and 12, and nothing but these. */
export function judgeAttempt(facts: AttemptFacts): Verdict {
  const { claim, isLive, isUncertain, finding, view } = facts;
  switch (finding.found) {
    case 'seen':
      return 'seen';
    case 'landed':
    case 'held':
      // In a conversation that has been left, nobody will read it.
      if (!isLive && !facts.isResumed) return isUncertain ? 'no-proof' : 'lost';
      return isUncertain ? 'held' : {};
    case 'removed':
      return finding.because === 'interrupted' && isLive ? 'interrupted' : 'removed';
    case 'absent':
      return 'absent';
    case 'none':
    case 'unknown':
      break;
  }
  // We died, or gave up, before anything outside was touched.
  if (isUncertain && claim.step === undefined) return 'absent';
  // Before it has come to rest its records may still grow.
  if (view.status === 'starting' || view.status === 'unknown' || view.status === 'exited')
    return {};
  if (!isLive) return isUncertain ? judgeDead(facts) : 'lost';
  if (view.atRestSince === undefined) return {};
  // Rule 12: text that stands in its composer may still be sent by the person whose it is now.
  if (view.composer === 'draft') return { againInMs: draftMs };
  return judgeRest(facts, view.atRestSince);
}

/** Of an ended life no more is written; but its records may be read late, by a CLI that has only just started (rule 10). */
function judgeDead({ claim, view, since, now }: AttemptFacts): Verdict {
  if (view.atRestSince === undefined) return {};
  const waitMs = claim.provable ? resumeMs : 0;
  const restedMs = now - Math.max(since, view.atRestSince);
  return restedMs >= waitMs ? 'no-proof' : { againInMs: waitMs - restedMs };
}

function judgeRest(facts: AttemptFacts, atRestSince: number): Verdict {
  const { claim, isUncertain, finding, hasWaitingHook, since, now } = facts;
  const restedMs = now - Math.max(since, atRestSince);
  const isReply = claim.route !== 'paste' && (claim.route !== 'native' || hasWaitingHook);
  if (isReply && finding.found === 'none') {
    return restedMs >= hookLandMs ? 'absent' : { againInMs: hookLandMs - restedMs };
  }
  // Where no proof can come, none is awaited: only that it rests, and is not about to show what it was given (rules 8, 10).
  const limitMs = claim.provable ? evidenceMs : hookLandMs;
  if (restedMs < limitMs) return { againInMs: limitMs - restedMs };
  return isUncertain ? 'no-proof' : 'lost';
}
