import type { ProcessIdentity } from '../shared/processes.ts';

export type Route = 'native' | 'turn-boundary' | 'mid-turn' | 'paste' | 'pull';

/**
 * The exclusive, fenced, leased right to carry one batch to one recipient, together with the
 * attempt made under it: one claim is one try. It is live until each of its messages has left
 * `claimed` (rule 1).
 */
export interface Claim {
  /** The fencing token. Grows; never reused. */
  readonly token: number;
  readonly recipient: string;
  readonly route: Route;
  readonly epoch: number;
  /**
   * Unguessable; stands in the injected text, so that evidence can name this attempt (rules 2, 7).
   */
  readonly mark: string;
  /** False where the CLI can give no proof for this route: `injected` is then the end (rule 8). */
  readonly provable: boolean;
  readonly holder: ProcessIdentity;
  readonly at: number;
  /** On the monotonic clock of the holder's boot (rule 3). */
  readonly takenAtMs: number;
  readonly leaseMs: number;
  /** The CLI was working when it was taken, and keeps it behind that turn. */
  readonly isBehindTurn: boolean;
  /**
   * How many more waited when it was taken: its text says so, and must be the same when it is
   * written again (rules 12, 13).
   */
  readonly others: number;
  /**
   * Its text stands behind another one in the CLI's queue, which says what our lines are and how to
   * answer, and does not say so again (rules 12, 14).
   */
  readonly isFurther?: true;
  readonly endedAt?: number;
  /**
   * How far the act got, each step on disk before the next (rule 12); undefined: nothing outside
   * was touched.
   */
  readonly step?: ActStep;
  /** What the CLI calls it. */
  readonly receipt?: string;
  /** A hook told that text with this mark was submitted. */
  readonly isSubmitted: boolean;
  /** And that it was not our text alone, word for word. */
  readonly isAltered?: true;
}

/** `pasted` and `entered` are those of a paste. */
/** `left`: it was pasted, and then a person typed: what stands there is the person's. */
export type ActStep = 'begun' | 'pasted' | 'entered' | 'left';

export type NewClaim = Omit<Claim, 'token' | 'endedAt' | 'receipt' | 'isSubmitted' | 'isAltered'>;

/** Claim to act, at most (rule 3). */
export const defaultLeaseMs = 30_000;

/**
 * Routes that put text into a conversation: one live claim per recipient (rule 1). Pull claims live
 * beside them.
 */
export function isInjecting(route: Route): boolean {
  return route !== 'pull';
}

export function isLeaseExpired(claim: Leased, here: LeaseClock): boolean {
  // Monotonic times of another boot cannot be compared, and its processes are gone.
  return claim.holder.boot !== here.boot || here.monotonicMs >= claim.takenAtMs + claim.leaseMs;
}

/** An act not begun within half the lease is abandoned (rule 3). */
export function isTooLateToAct(claim: Claim, here: LeaseClock): boolean {
  return claim.holder.boot !== here.boot || here.monotonicMs >= claim.takenAtMs + claim.leaseMs / 2;
}

/** All of a claim that decides whether its time is over. */
type Leased = Pick<Claim, 'holder' | 'takenAtMs' | 'leaseMs'>;

export interface LeaseClock {
  readonly boot: string;
  readonly monotonicMs: number;
}

/** How one message fared in one attempt. */
export type AttemptOutcome =
  | 'claimed'
  | 'injected'
  | 'seen'
  | 'acked'
  | 'abandoned'
  | 'not-landed'
  | 'uncertain'
  | 'dead';

export interface Attempt {
  readonly messageId: string;
  readonly token: number;
  readonly at: number;
  readonly route: Route;
  readonly epoch: number;
  readonly outcome: AttemptOutcome;
  /** Named in one line; its body was not in the text (rule 13). */
  readonly isPointer: boolean;
  /** Its body was handed out all the same. */
  readonly handedOutAt?: number;
  /**
   * By which call of an MCP client: only a further one on its line takes it (rule 17). Undefined: a
   * command printed it.
   */
  readonly line?: string;
  /** So many tries before it, cut off like it, are not kept. */
  readonly folded: number;
  /** The turn whose end answered for it. */
  readonly turn?: string;
}
