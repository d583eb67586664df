import { isAtRest } from '../agents/remember-turn.ts';
import type { StatusView } from '../agents/status.ts';
import type { TurnNews } from '../providers/way-in.ts';

/** A word about the end of a turn, and the rest that follows it, are at most so far apart. */
const sameEndMs = 2000;

/**
 * Whether the rest that an agent came to may be a person's doing: its turn is over, and its CLI has
 * not said that it ended by itself. Such a word may come just before the rest or some time after
 * it.
 */
export class UntoldRest {
  #isWorking = false;
  #toldAt = Number.NEGATIVE_INFINITY;
  #since: number | undefined;
  #isAsking = false;
  #askedAt: number | undefined;

  /** When it last counted as waiting for a person, on the monotonic clock. */
  get askedAt(): number | undefined {
    return this.#askedAt;
  }

  /** On the monotonic clock; undefined while it works, and after an end that was told. */
  get since(): number | undefined {
    return this.#since;
  }

  status({ status }: Pick<StatusView, 'status'>, now: number): void {
    if (status === 'waiting' || this.#isAsking) this.#askedAt = now;
    this.#isAsking = status === 'waiting';
    if (status === 'processing' || status === 'waiting') {
      this.#isWorking = true;
      this.#since = undefined;
    } else if (isAtRest(status) && this.#isWorking) {
      this.#isWorking = false;
      this.#since = now - this.#toldAt < sameEndMs ? undefined : now;
    } else if (status === 'exited' || status === 'starting') {
      this.#isWorking = false;
      this.#since = undefined;
    }
  }

  /** A turn began: the end that was told before it is not its own. */
  began(): void {
    this.#toldAt = Number.NEGATIVE_INFINITY;
  }

  /** Its authority's word. True when a rest that seemed a person's doing was none. */
  told({ outcome }: Pick<TurnNews, 'outcome'>, now: number): boolean {
    if (outcome === 'interrupted') return false;
    this.#toldAt = now;
    const wasOpen = this.#since !== undefined;
    this.#since = undefined;
    return wasOpen;
  }
}
