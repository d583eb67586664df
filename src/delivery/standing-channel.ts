import { isAtRest } from '../agents/remember-turn.ts';
import type { BrokenChannel, WaitReason } from '../messages/wait-reason.ts';
import type { Clock } from '../shared/clock.ts';
import { isPen, type Recipient, type Ways } from './recipient.ts';

/**
 * What was there and is gone may be back at once: a hook asks anew every 50 s, a connection is made
 * again. Milliseconds.
 */
const graceMs = 3000;
/**
 * What was never there may still be coming: Copilot CLI 1.0.102 loads its extension 6 s after its
 * start, Codex's link waits 20 s.
 */
const firstGraceMs = 25_000;
/**
 * Between two tries: Claude Code 2.1.325 may miss the first one. Four of them fall within 15 s
 * (rule 53), then ever fewer.
 */
const firstPauseMs = 2000;
const longestPauseMs = 600_000;
/** So long it is given to stand again before the next route takes over. */
const takeOverMs = 15_000;

export interface ChannelParts {
  readonly clock: Clock;
  readonly recipient: Pick<Recipient, 'ways' | 'view' | 'pen' | 'putUp'>;
  /** Why the channel cannot be used now. */
  readonly blocked: () => WaitReason | undefined;
  /** A try has ended, so that there may be more to say. */
  readonly tried: () => void;
}

/**
 * What stands beside one living agent to wake it: a hook that waits, a server, a connection, a
 * file. It may go while the agent lives, and whoever killed it tells nobody. This notices that, has
 * it put up again, and holds what is said about it until it stands (rule 53). A hook that waits is
 * missed at rest alone: the end of every turn brings a new one.
 */
export class StandingChannel {
  readonly #parts: ChannelParts;
  #wasUp = false;
  #goneSince: number | undefined;
  #tries = 0;
  #nextTryAt = 0;
  #isTrying = false;
  #why: WaitReason | undefined;

  constructor(parts: ChannelParts) {
    this.#parts = parts;
  }

  /** What is broken; undefined while nothing is, or while that may be a matter of a moment. */
  get broken(): BrokenChannel | undefined {
    const blocked = this.#parts.blocked();
    if (blocked === undefined || this.#goneSince === undefined) return undefined;
    const isMoment = this.#now() < this.#goneSince + this.#grace();
    if (isMoment && this.standsIn === undefined) return undefined;
    const { ways, pen, putUp } = this.#parts.recipient;
    const what = { blocked, cannot: this.#why, isTried: putUp !== undefined };
    if (ways.takesOver === undefined) return { ...what, meanwhile: 'deaf' };
    if (!isPen(pen)) return { ...what, meanwhile: 'deaf', penBlocked: pen };
    const isLine = ways.takesOver === 'notice';
    if (this.standsIn === undefined)
      return { ...what, meanwhile: isLine ? 'soon-told' : 'soon-pasted' };
    return { ...what, meanwhile: isLine ? 'told' : 'pasted' };
  }

  /** What is used now in the stead of what is gone (rule 53). */
  get standsIn(): Ways['takesOver'] {
    const { ways, pen } = this.#parts.recipient;
    if (!isPen(pen) || this.#parts.blocked() === undefined) return undefined;
    return this.isTakenOver ? ways.takesOver : undefined;
  }

  /** It has not been put up in time: another route may be used in its stead (rule 53). */
  get isTakenOver(): boolean {
    return this.#goneSince !== undefined && this.#now() >= this.#goneSince + takeOverMs;
  }

  /** To be called at every look. Returns when time alone makes another one worth while. */
  look(): number | undefined {
    if (this.#parts.blocked() === undefined || !this.#isMissed()) {
      this.#wasUp ||= this.#parts.blocked() === undefined;
      this.#forget();
      return undefined;
    }
    const now = this.#now();
    this.#goneSince ??= now;
    const takenOverInMs = this.#goneSince + takeOverMs - now;
    return soonest(
      takenOverInMs > 0 ? takenOverInMs : undefined,
      this.#putUpIn(now, this.#goneSince),
    );
  }

  #putUpIn(now: number, goneSince: number): number | undefined {
    const dueAt = Math.max(goneSince + this.#grace(), this.#nextTryAt);
    if (now < dueAt) return dueAt - now;
    if (this.#parts.recipient.putUp === undefined || this.#isTrying) return undefined;
    const pauseMs = Math.min(firstPauseMs * 2 ** Math.max(0, this.#tries - 1), longestPauseMs);
    this.#tries++;
    this.#nextTryAt = now + pauseMs;
    void this.#try();
    return pauseMs;
  }

  async #try(): Promise<void> {
    this.#isTrying = true;
    try {
      this.#why = await this.#parts.recipient.putUp?.();
    } finally {
      this.#isTrying = false;
      this.#parts.tried();
    }
  }

  #isMissed(): boolean {
    const { ways, view } = this.#parts.recipient;
    const { status } = view();
    if (!ways.routes.includes('native') || status === 'exited') return false;
    if (isAtRest(status)) return true;
    // A question at the start comes before the channel; one that was up, or was missed at rest, is
    // missed whatever the agent does.
    const isKnown = this.#wasUp || this.#goneSince !== undefined;
    return !ways.hasWaitingHook && isKnown && status !== 'starting';
  }

  #grace(): number {
    return this.#wasUp || this.#parts.recipient.ways.hasWaitingHook ? graceMs : firstGraceMs;
  }

  #forget(): void {
    this.#goneSince = undefined;
    this.#tries = 0;
    this.#nextTryAt = 0;
    this.#why = undefined;
  }

  #now(): number {
    return this.#parts.clock.monotonicMs();
  }
}

export function soonest(...wishes: readonly (number | undefined)[]): number | undefined {
  const known = wishes.filter((wish) => wish !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
