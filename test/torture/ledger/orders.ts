import { systemClock } from '../../../src/shared/clock.ts';
import type { Random } from '../random.ts';
import type { Observer } from './observer.ts';
import { agents, type World } from './world.ts';

/** One send, to be repeated with the same key until somebody is told how it went. */
export interface Order {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  /** Of the body, in UTF-16 units. */
  readonly size: number;
  readonly ttlMs?: number;
  readonly urgent?: true;
  readonly replyTo?: string;
}

/**
 * Enough to keep two cores busy with processes that start and die; more would only make the ledger
 * large.
 */
const perSecond = 300;
/**
 * What may wait for one recipient before its senders pause: drains stay short enough to be killed
 * often.
 */
const backlog = { ordinary: 300, bulk: 60, visitor: 600, sleeper: 1500 } as const;

/** Decides what is sent. Orders whose sender died come first again. */
export class Orders {
  readonly #random: Random;
  readonly #world: World;
  readonly #observer: Observer;
  readonly #returned: Order[] = [];
  readonly #beganAtMs = systemClock.monotonicMs();
  #made = 0;
  #open = 0;
  #isOver = false;

  constructor(random: Random, world: World, observer: Observer) {
    this.#random = random;
    this.#world = world;
    this.#observer = observer;
  }

  /** No new ones; those that are open are repeated until they are answered. */
  end(): void {
    this.#isOver = true;
  }

  get areAllAnswered(): boolean {
    return this.#isOver && this.#open === 0;
  }

  take(): Order | undefined {
    const again = this.#returned.shift();
    if (again) return again;
    const elapsedMs = systemClock.monotonicMs() - this.#beganAtMs;
    if (this.#isOver || this.#made > (elapsedMs / 1000) * perSecond) return undefined;
    const to = this.#pickRecipient();
    return to === undefined ? undefined : this.#make(to);
  }

  /** Its sender died unanswered. */
  giveBack(order: Order): void {
    this.#returned.push(order);
  }

  close(): void {
    this.#open--;
  }

  /** To somebody who has been removed: it must be refused. */
  makeRefusable(to: string): Order {
    return { key: this.#nextKey(), from: this.#random.pick(agents.ordinary), to, size: 40 };
  }

  #make(to: string): Order {
    const random = this.#random;
    const from = random.pick(agents.ordinary);
    const replyTo = random.chance(0.08) ? this.#pickForReply(from) : undefined;
    const expires = random.chance(to === agents.sleeper ? 0.5 : 0.05);
    this.#open++;
    return {
      key: this.#nextKey(),
      from,
      to,
      size: this.#pickSize(to),
      ...(expires ? { ttlMs: random.whole(1, 300) } : {}),
      ...(random.chance(0.05) ? { urgent: true } : {}),
      ...(replyTo ? { replyTo } : {}),
    };
  }

  #nextKey(): string {
    return `k${++this.#made}`;
  }

  #pickRecipient(): string | undefined {
    const roll = this.#random.next();
    const visitors = [...this.#world.visitors];
    const to =
      roll < 0.25 && visitors.length > 0
        ? this.#random.pick(visitors)
        : roll < 0.3
          ? agents.bulk
          : roll < 0.38
            ? agents.sleeper
            : roll < 0.48
              ? agents.calm
              : roll < 0.58
                ? agents.commanded
                : this.#random.pick(agents.ordinary);
    return this.#observer.waitingFor(to) < this.#bound(to) ? to : undefined;
  }

  #bound(to: string): number {
    if (to === agents.bulk) return backlog.bulk;
    if (to === agents.sleeper) return backlog.sleeper;
    return this.#world.visitors.has(to) ? backlog.visitor : backlog.ordinary;
  }

  #pickSize(to: string): number {
    if (to === agents.bulk) return this.#random.whole(20_000, 100_000);
    const roll = this.#random.next();
    if (roll < 0.75) return this.#random.whole(1, 800);
    return roll < 0.97 ? this.#random.whole(800, 8000) : this.#random.whole(8000, 100_000);
  }

  /**
   * Something that was sent to `from`, taken or not: an answer to its sender acks it either way.
   */
  #pickForReply(from: string): string | undefined {
    const candidates = this.#observer.recentlyAccepted(from);
    return candidates.length > 0 ? this.#random.pick(candidates) : undefined;
  }
}
