import type { Clock } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';
import { type Delivery, Mailbox, type Published } from './mailbox.ts';
import { matchTopics, type SignalEvent, type TopicTest, topicOf } from './topics.ts';

/** Events a subscriber may leave untaken, statuses apart. */
const mailboxLimit = 1000;
/** Events kept for those who come back: some minutes of a busy team, about 1 MB. */
const replayLimit = 2000;

export interface BusOptions {
  readonly clock: Clock;
  /** Names this life of the daemon; ids of another life are unknown here. */
  readonly boot: string;
  /** A subscriber threw. */
  readonly onError: (error: unknown, subscriber: string) => void;
  readonly replayLimit?: number;
  readonly mailboxLimit?: number;
}

/** An event in the replay ring, by its number. */
interface Kept extends Published {
  readonly n: number;
}

/**
 * The daemon's own events (E1). `publish` may be called from anywhere, also from inside a
 * subscriber: it files the event with each subscriber and returns; it throws nothing and waits for
 * nobody. Subscribers run later, one event at a time each, so that a slow one delays itself alone
 * and one that throws is reported and goes on with its next event.
 */
export class Bus {
  readonly #options: BusOptions;
  readonly #subscriptions = new Set<Subscription>();
  readonly #replay: Kept[] = [];
  #n = 0;
  #isClosed = false;

  constructor(options: BusOptions) {
    this.#options = options;
  }

  /** The id of the newest event: whoever reads the state now and resumes here misses nothing. */
  get tip(): string {
    return this.#id(this.#n);
  }

  /** Those from outside. */
  get subscribers(): number {
    return [...this.#subscriptions].filter(({ isInside }) => !isInside).length;
  }

  publish(event: SignalEvent): void {
    if (this.#isClosed) return;
    const topic = topicOf(event);
    const at = this.#options.clock.now();
    const published = event.kind === 'output' ? { topic, at, event } : this.#keep(topic, at, event);
    for (const subscription of this.#subscriptions) subscription.offer(published);
  }

  /**
   * For those who take at their own pace. Nothing is missed between this call and the first `next`.
   * A part of the daemon is `isInside`, and not counted.
   */
  subscribe(patterns: readonly string[], { isInside = false } = {}): Subscription {
    const subscription = new Subscription(
      matchTopics(patterns),
      this.#options.mailboxLimit ?? mailboxLimit,
      () => this.#subscriptions.delete(subscription),
      isInside,
    );
    if (this.#isClosed) subscription.close();
    else this.#subscriptions.add(subscription);
    return subscription;
  }

  /**
   * For those inside the daemon: `handle` gets one event after another, and never within `publish`.
   * Returns the end of it.
   */
  on(
    subscriber: string,
    patterns: readonly string[],
    handle: (delivery: Delivery) => void | Promise<void>,
  ): () => void {
    const subscription = this.subscribe(patterns);
    const run = async (): Promise<void> => {
      for (;;) {
        const delivery = await subscription.next();
        if (!delivery) return;
        try {
          await handle(delivery);
        } catch (error) {
          reportBug(`a subscriber to events, ${subscriber}`, error);
          this.#report(error, subscriber);
        }
      }
    };
    void run();
    return () => subscription.close();
  }

  /**
   * What was published after that event; `unknown` when it is another daemon's, or older than what
   * is kept.
   */
  since(id: string, patterns: readonly string[]): readonly Published[] | 'unknown' {
    const n = this.#parse(id);
    const oldest = this.#replay[0]?.n ?? this.#n + 1;
    if (n === undefined || n > this.#n || n < oldest - 1) return 'unknown';
    return this.recent(patterns).filter((published) => published.n > n);
  }

  /** Everything that is kept. */
  recent(patterns: readonly string[]): readonly Kept[] {
    const matches = matchTopics(patterns);
    return this.#replay.filter(({ topic }) => matches(topic));
  }

  close(): void {
    this.#isClosed = true;
    for (const subscription of this.#subscriptions) subscription.close();
  }

  #keep(topic: string, at: number, event: SignalEvent): Kept {
    const n = ++this.#n;
    const kept = { id: this.#id(n), n, topic, at, event };
    this.#replay.push(kept);
    // In blocks: shifting two thousand places for each event would be the dearest part of it.
    const limit = this.#options.replayLimit ?? replayLimit;
    if (this.#replay.length >= limit * 1.25) this.#replay.splice(0, this.#replay.length - limit);
    return kept;
  }

  #report(error: unknown, subscriber: string): void {
    try {
      this.#options.onError(error, subscriber);
    } catch {
      // Whoever is told of errors has one himself; the subscriber goes on all the same.
    }
  }

  #id(n: number): string {
    return `${this.#options.boot}-${n}`;
  }

  #parse(id: string): number | undefined {
    const [, boot, n] = /^(.+)-(\d{1,15})$/.exec(id) ?? [];
    return boot === this.#options.boot ? Number(n) : undefined;
  }
}

/** One subscriber's place at the bus. */
export class Subscription {
  readonly isInside: boolean;
  readonly #matches: TopicTest;
  readonly #mailbox: Mailbox;
  readonly #onClose: () => void;
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(matches: TopicTest, limit: number, onClose: () => void, isInside: boolean) {
    this.isInside = isInside;
    this.#matches = matches;
    this.#mailbox = new Mailbox(limit);
    this.#onClose = onClose;
  }

  get waiting(): number {
    return this.#mailbox.size;
  }

  offer(published: Published): void {
    if (this.#isClosed || !this.#matches(published.topic)) return;
    this.#mailbox.put(published);
    this.#wake?.();
  }

  /** The next event or gap; undefined once closed. One taker at a time. */
  async next(): Promise<Delivery | undefined> {
    // Always a turn of the event loop later: a subscriber that publishes to itself must not starve
    // input and output.
    await new Promise((resolve) => setImmediate(resolve));
    for (;;) {
      if (this.#isClosed) return undefined;
      const delivery = this.#mailbox.take();
      if (delivery) return delivery;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
    this.#wake?.();
  }
}
