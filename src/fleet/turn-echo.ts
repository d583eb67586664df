// Tests: src/fleet/watch-turns.test.ts.
import type { StatusView } from '../agents/status.ts';

const beginMs = 10_000;
const mostMs = 5000;

/**
 * Whether the work that is seen may still be the turn whose end the authority has just told. The
 * screen may show that turn for a while: a CLI draws its end only when the hook that reports it has
 * returned, and a busy machine takes its time. The CLI's own state may be behind, too, such as Qwen
 * Code 0.24.4's event file. Work is no turn of its own if it begins on the screen alone within the
 * first span, or goes on in the own state without a rest, and is over within the second span.
 */
export class TurnEcho {
  /** Monotonic: when the authority spoke last. */
  #toldMs = Number.NEGATIVE_INFINITY;
  #isAtWork: boolean;
  /** It was at work when the authority spoke, and has not been seen at rest since. */
  #isTail = false;
  #isEcho = false;
  /** Monotonic: since when work is seen. */
  #beganMs = 0;

  constructor(isAtWork: boolean) {
    this.#isAtWork = isAtWork;
  }

  told(nowMs: number): void {
    this.#toldMs = nowMs;
    this.#isTail = this.#isAtWork;
  }

  seen({ status, source, detail }: StatusView, nowMs: number, isInTurn: boolean): void {
    this.#isAtWork = status === 'processing';
    this.#isTail &&= this.#isAtWork;
    // A hook speaks once of each beginning, and a CLI asks in the middle of a turn.
    const isHook = this.#isAtWork && source === 'hook';
    if (isHook || (status === 'waiting' && detail === 'permission')) this.#isEcho = false;
    if (!this.#isAtWork || isInTurn) return;
    const maybeOld = source === 'screen' || (source === 'state' && this.#isTail);
    this.#isEcho = maybeOld && nowMs - this.#toldMs < beginMs;
    this.#beganMs = nowMs;
  }

  /** The work that was seen last is over, and was no turn of its own. */
  isOver(nowMs: number): boolean {
    return this.#isEcho && nowMs - this.#beganMs < mostMs;
  }
}
