// Tests: src/fleet/watch-turns.test.ts.
import type { StatusView } from '../agents/status.ts';

/** Work on the screen that begins within the first span and lasts no longer than the second. */
const screenBeginMs = 10_000;
const screenMs = 5000;
/** The own state is not behind by more than this (Qwen Code 0.24.4's event file: some 500 ms). */
const stateMs = 1500;

/**
 * Whether the work that is seen is only the rest of the turn whose end the authority has just told.
 * The screen may show that turn for a while: a CLI draws its end only when the hook that reports it
 * has returned, and a busy machine takes its time. The CLI's own state may be behind, too. Such
 * work is no turn, so it has no end of its own.
 */
export class TurnEcho {
  /** Monotonic: when the authority spoke last. */
  #toldMs = Number.NEGATIVE_INFINITY;
  #isAtWork: boolean;
  /** It was at work when the authority spoke, and has not been seen at rest since. */
  #isTail = false;
  /** Monotonic: if work ends before this, it was no turn. */
  #untilMs = Number.NEGATIVE_INFINITY;

  constructor(isAtWork: boolean) {
    this.#isAtWork = isAtWork;
  }

  told(nowMs: number): void {
    this.#toldMs = nowMs;
    this.#isTail = this.#isAtWork;
  }

  /** Another turn has begun for certain, or goes on. */
  began(): void {
    this.#isTail = false;
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }

  seen({ status, source }: StatusView, nowMs: number, isInTurn: boolean): void {
    this.#isAtWork = status === 'processing';
    this.#isTail &&= this.#isAtWork;
    if (!this.#isAtWork || isInTurn) return;
    if (source === 'screen' && nowMs - this.#toldMs < screenBeginMs) {
      this.#untilMs = nowMs + screenMs;
    } else if (source === 'state' && this.#isTail) {
      this.#untilMs = this.#toldMs + stateMs;
    } else {
      this.#untilMs = Number.NEGATIVE_INFINITY;
    }
  }

  /** The work that was seen last is over, and was no turn. */
  isOver(nowMs: number): boolean {
    return nowMs < this.#untilMs;
  }
}
