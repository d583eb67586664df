import type { Agent } from '../agents/agent.ts';
import type { Caller } from '../agents/caller.ts';
import type { Subscription } from '../events/bus.ts';
import { isGap, type Published } from '../events/mailbox.ts';
import { matchTopics } from '../events/topics.ts';
import type { EventView } from '../protocol/events.ts';
import { toIso } from '../protocol/views.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { maySee, viewData, viewEvent, viewFor } from './parts/event-views.ts';
import { QuestionReader } from './parts/read-questions.ts';

export interface FollowWish {
  /** None mean everything but output. */
  readonly topics: readonly string[];
  /** The last event that the caller saw. */
  readonly last?: string | undefined;
}

/**
 * The bus, for those outside. A caller that names the last event it saw gets what followed; when
 * that is no longer known (another daemon, or too long ago) or events were lost on the way, it gets
 * a `gap` and then the current status of every agent.
 */
export const followEvents = defineRequest(
  async (context: LiveContext, caller, { topics, last }: FollowWish): Promise<EventFeed> => {
    const { bus } = context.live;
    // In one turn of the event loop: nothing is published between the replay and the subscription.
    const missed = last === undefined ? [] : bus.since(last, topics);
    const feed = new EventFeed(context, caller, topics, bus.subscribe(topics));
    if (missed === 'unknown') feed.tellGap('unknown-id');
    else feed.tell(missed);
    return feed;
  },
);

/** Events are shared by all their readers; each gets a view of one only when it takes that. */
export class EventFeed {
  readonly #context: LiveContext;
  readonly #caller: Caller;
  readonly #matches: (topic: string) => boolean;
  readonly #subscription: Subscription;
  #ready: (EventView | Published)[] = [];
  #gap: Readonly<Record<string, unknown>> | undefined;

  constructor(
    context: LiveContext,
    caller: Caller,
    topics: readonly string[],
    subscription: Subscription,
  ) {
    this.#context = context;
    this.#caller = caller;
    this.#matches = matchTopics(topics);
    this.#subscription = subscription;
  }

  tell(events: readonly Published[]): void {
    this.#ready.push(...events.filter((one) => maySee(this.#caller.agent, one)));
  }

  tellGap(reason: 'unknown-id' | 'too-slow', lost?: number): void {
    this.#gap = { reason, ...(lost === undefined ? {} : { lost }) };
  }

  /** Undefined at the end. */
  async next(): Promise<EventView | undefined> {
    if (this.#gap) {
      const gap = this.#gap;
      this.#gap = undefined;
      this.#ready = [...(await this.#describeState(gap))];
    }
    const ready = this.#ready.shift();
    if (ready) return 'event' in ready ? this.#view(ready) : ready;
    for (;;) {
      const delivery = await this.#subscription.next();
      if (!delivery) return undefined;
      if (isGap(delivery)) {
        this.tellGap('too-slow', delivery.lost);
        return this.next();
      }
      if (maySee(this.#caller.agent, delivery)) return this.#view(delivery);
    }
  }

  close(): void {
    this.#subscription.close();
  }

  /** Only a question is looked up: most events have none. */
  async #view(published: Published): Promise<EventView> {
    const { data } = published.event;
    if (this.#caller.kind !== 'agent' || !('question' in data || 'questions' in data)) {
      return viewEvent(published);
    }
    return this.#context.ledger.read((tx) =>
      viewFor(new QuestionReader(tx, this.#caller), published),
    );
  }

  /**
   * All of it stands for the newest event there was before the ledger was read: a reader that
   * resumes after it misses nothing.
   */
  async #describeState(gap: Readonly<Record<string, unknown>>): Promise<readonly EventView[]> {
    const { ledger, surroundings, live } = this.#context;
    const id = live.bus.tip;
    const now = toIso(surroundings.clock.now());
    const statuses = await ledger.read(async (tx) => {
      const reader = new QuestionReader(tx, this.#caller);
      const view = async (one: Agent): Promise<EventView> => {
        const { id: agent, name, status, detail, source, since } = one;
        const known = live.fleet.live(agent) ?? {
          ...{ status, source, since },
          ...(detail === undefined ? {} : { detail }),
        };
        const data = await reader.data(agent, viewData({ name, ...known }));
        return { id, topic: `agent.${agent}.status`, at: now, data };
      };
      return Promise.all((await tx.agents.list()).map(view));
    });
    const wanted = statuses.filter(({ topic }) => this.#matches(topic));
    return [{ id, topic: 'gap', at: now, data: gap }, ...wanted];
  }
}
