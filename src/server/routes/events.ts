import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { type Agent, isUser } from '../../agents/agent.ts';
import type { Subscription } from '../../events/bus.ts';
import { isGap, type Published } from '../../events/mailbox.ts';
import { matchTopics } from '../../events/topics.ts';
import type { EventView } from '../../protocol/events.ts';
import { eventListSchema, eventSchema } from '../../protocol/schemas/events.ts';
import { toIso } from '../../protocol/views.ts';
import { encodeEvent, type Readers, type StreamSource, streamEvents } from '../event-stream.ts';
import { neutraliseDocument } from '../mcp/tool-text.ts';
import type { ServerParts } from '../parts.ts';
import { findCaller, json, orFault } from '../requests.ts';

/**
 * The bus, for those outside. Whoever names the last event it saw gets what followed; when that is
 * no longer known (another daemon, or too long ago) or events were lost on the way, it gets a `gap`
 * and then the current status of every agent.
 */
export function addEventRoutes(app: OpenAPIHono, parts: ServerParts, readers: Readers): void {
  const { bus, ledger } = parts;
  app.openapi(recent, async (c) => {
    const patterns = c.req.valid('query').topic;
    const caller = await ledger.read((tx) => findCaller(tx, c));
    const seen = bus.recent(patterns).filter((one) => maySee(caller, one));
    return c.json({ events: seen.map((one) => viewFor(caller, viewEvent(one))) }, 200);
  });

  app.openapi(follow, async (c) => {
    const patterns = c.req.valid('query').topic;
    const last = c.req.header('last-event-id');
    const caller = await ledger.read((tx) => findCaller(tx, c));
    // In one turn of the event loop: nothing is published between the replay and the subscription.
    const missed = last === undefined ? [] : bus.since(last, patterns);
    const subscription = bus.subscribe(patterns);
    const source = new EventSource(parts, caller, patterns, subscription);
    if (missed === 'unknown') source.tellGap('unknown-id');
    else source.tell(missed);
    return streamEvents(source, encodeEvent, c.req.raw.signal, readers);
  });
}

/** Events are shared by all their readers; each gets a view of one only when it takes that. */
class EventSource implements StreamSource<EventView> {
  readonly #parts: ServerParts;
  readonly #caller: Agent;
  readonly #matches: (topic: string) => boolean;
  readonly #subscription: Subscription;
  #ready: (EventView | Published)[] = [];
  #gap: Readonly<Record<string, unknown>> | undefined;

  constructor(
    parts: ServerParts,
    caller: Agent,
    patterns: readonly string[],
    subscription: Subscription,
  ) {
    this.#parts = parts;
    this.#caller = caller;
    this.#matches = matchTopics(patterns);
    this.#subscription = subscription;
  }

  tell(events: readonly Published[]): void {
    this.#ready.push(...events.filter((one) => maySee(this.#caller, one)));
  }

  tellGap(reason: 'unknown-id' | 'too-slow', lost?: number): void {
    this.#gap = { reason, ...(lost === undefined ? {} : { lost }) };
  }

  async next(): Promise<EventView | undefined> {
    if (this.#gap) {
      const gap = this.#gap;
      this.#gap = undefined;
      this.#ready = [...(await this.#describeState(gap))];
    }
    const ready = this.#ready.shift();
    if (ready) return viewFor(this.#caller, 'event' in ready ? viewEvent(ready) : ready);
    for (;;) {
      const delivery = await this.#subscription.next();
      if (!delivery) return undefined;
      if (isGap(delivery)) {
        this.tellGap('too-slow', delivery.lost);
        return this.next();
      }
      if (maySee(this.#caller, delivery)) return viewFor(this.#caller, viewEvent(delivery));
    }
  }

  close(): void {
    this.#subscription.close();
  }

  /**
   * All of it stands for the newest event there was before the ledger was read: who resumes after
   * it misses nothing.
   */
  async #describeState(gap: Readonly<Record<string, unknown>>): Promise<readonly EventView[]> {
    const { bus, clock, fleet, ledger } = this.#parts;
    const id = bus.tip;
    const agents = await ledger.read((tx) => tx.agents.list());
    const now = toIso(clock.now());
    const statuses = agents.map(({ id: agent, name, status, detail, source, since }): EventView => {
      const known = fleet.live(agent) ?? {
        status,
        source,
        since,
        ...(detail === undefined ? {} : { detail }),
      };
      return { id, topic: `agent.${agent}.status`, at: now, data: viewData({ name, ...known }) };
    });
    const wanted = statuses.filter(({ topic }) => this.#matches(topic));
    return [{ id, topic: 'gap', at: now, data: gap }, ...wanted];
  }
}

/**
 * As the tools: an agent knows what all agents do, but of messages only its own, and of output only
 * that it printed itself.
 */
function maySee(caller: Agent, { event }: Published): boolean {
  if (isUser(caller)) return true;
  if (event.kind === 'output') return event.agent === caller.id;
  if (event.kind !== 'message') return true;
  return event.data.from === caller.id || event.data.to === caller.id;
}

/** Details are words of others (rule 47). */
function viewFor(caller: Agent, view: EventView): EventView {
  return isUser(caller) ? view : { ...view, data: neutraliseDocument(view.data) };
}

function viewEvent({ id, topic, at, event }: Published): EventView {
  return { ...(id === undefined ? {} : { id }), topic, at: toIso(at), data: viewData(event.data) };
}

/** Times inside a document are ISO 8601, too. */
function viewData(data: object): Readonly<Record<string, unknown>> {
  return 'since' in data && typeof data.since === 'number'
    ? { ...data, since: toIso(data.since) }
    : { ...data };
}

const query = z.object({
  topic: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((given) => (given === undefined ? [] : [given].flat()))
    .openapi({
      type: 'array',
      items: { type: 'string' },
      description: 'Patterns such as agent.*.status; none means everything but output.',
    }),
});

const recent = createRoute({
  method: 'get',
  path: '/events/recent',
  summary: 'The events that are still kept.',
  request: { query },
  responses: { 200: json(eventListSchema, 'Oldest first.'), ...orFault },
});

const follow = createRoute({
  method: 'get',
  path: '/events',
  summary: 'Events from now on, or from Last-Event-ID on, as server-sent events.',
  request: { query },
  responses: {
    200: {
      description: 'Each `data` is one event; `event: gap` says that some were lost.',
      content: { 'text/event-stream': { schema: eventSchema } },
    },
    ...orFault,
  },
});
