import type { SignalEvent } from './topics.ts';

/**
 * One event as a subscriber gets it. Ids are those of the replay ring; output has none and cannot
 * be replayed.
 */
export interface Published {
  readonly id?: string;
  readonly topic: string;
  /** Wall time. */
  readonly at: number;
  readonly event: SignalEvent;
}

/** Events were dropped here. Whoever needs them reads the ledger. */
export interface Gap {
  readonly lost: number;
}

export type Delivery = Published | Gap;

export function isGap(delivery: Delivery): delivery is Gap {
  return 'lost' in delivery;
}

/** Agents whose status waits for one subscriber; far more than there are. */
const maxStatuses = 10_000;

/**
 * What one subscriber has not taken yet: bounded, whatever the subscriber does. Of an agent's
 * statuses only the latest waits, at the place of the latest, so that ids grow and no old status
 * follows news that came after it. Of everything else at most `limit` wait; what comes then is
 * dropped. One gap stands at the first loss and counts all of them: whoever takes it and then reads
 * the ledger has missed nothing, since whatever was lost was lost before.
 */
export class Mailbox {
  readonly #limit: number;
  /**
   * Insertion order is order of delivery; the key of a status is its agent, so that it can be
   * replaced.
   */
  readonly #waiting = new Map<string | number, Delivery>();
  #ticket = 0;
  #statuses = 0;
  #gap: number | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#waiting.size;
  }

  put(published: Published): void {
    const { event } = published;
    if (event.kind === 'status') this.#putStatus(event.agent, published);
    else if (this.#waiting.size - this.#statuses >= this.#limit) this.#drop();
    else this.#waiting.set(++this.#ticket, published);
  }

  take(): Delivery | undefined {
    for (const [key, delivery] of this.#waiting) {
      this.#waiting.delete(key);
      if (key === this.#gap) this.#gap = undefined;
      if (typeof key === 'string') this.#statuses--;
      return delivery;
    }
    return undefined;
  }

  #putStatus(agent: string, published: Published): void {
    if (this.#waiting.delete(agent)) this.#statuses--;
    if (this.#statuses >= maxStatuses) this.#drop();
    else {
      this.#waiting.set(agent, published);
      this.#statuses++;
    }
  }

  #drop(): void {
    const gap = this.#gap === undefined ? undefined : this.#waiting.get(this.#gap);
    this.#gap ??= ++this.#ticket;
    this.#waiting.set(this.#gap, { lost: gap && isGap(gap) ? gap.lost + 1 : 1 });
  }
}
