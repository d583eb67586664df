import type { AgentView } from '../protocol/agents.ts';
import type { FeedItem, PageMessage, PageSnapshot } from '../protocol/page.ts';
import type { AttentionDocument } from '../protocol/printed.ts';
import { isAtRest } from './judge-message.ts';
import { revealDocument } from './reveal-document.ts';

/** All that a view is made of: one snapshot, and what the feed has told since. Never changed. */
export interface World {
  /** The newest row of history that is in it: the feed goes on behind it. */
  readonly cursor: number;
  readonly daemon: PageSnapshot['daemon'];
  readonly readOnly: boolean;
  /** The id of the user, who is an agent of the ledger and none on the screen. */
  readonly user: string;
  readonly agents: ReadonlyMap<string, AgentView>;
  readonly messages: ReadonlyMap<string, PageMessage>;
  readonly attention: AttentionDocument['items'];
  /** Messages that the daemon did not send, because there are too many. */
  readonly omitted: number;
}

export function openWorld(snapshot: PageSnapshot): World {
  const shown = revealDocument(snapshot);
  const { cursor, daemon, readOnly, user, agents, messages, attention, omitted } = shown;
  return {
    ...{ cursor, daemon, readOnly, user, omitted },
    agents: new Map(agents.map((agent) => [agent.id, agent])),
    messages: new Map(messages.map((message) => [message.id, message])),
    attention: attention.items,
  };
}

/** A page that stays open for days keeps no more than so many messages. */
const mostMessages = 10_000;
/** Trimmed seldom: to find out which are old takes a look at all of them. */
const slack = 1000;

/**
 * The world with what the feed told, in its order; undefined where the feed has a gap, so that only
 * a new snapshot tells how things stand.
 */
export function takeItems(world: World, items: readonly FeedItem[]): World | undefined {
  if (items.length === 0) return world;
  const agents = new Map(world.agents);
  const messages = new Map(world.messages);
  let { cursor, attention } = world;
  for (const told of items) {
    const item = revealDocument(told);
    if (item.kind === 'gap') return undefined;
    cursor = Math.max(cursor, item.cursor);
    switch (item.kind) {
      case 'agent':
        agents.set(item.agent.id, item.agent);
        break;
      case 'agent-gone':
        agents.delete(item.id);
        break;
      case 'attention':
        attention = item.attention.items;
        break;
      case 'message':
        takeMessage(messages, item.message);
        break;
    }
  }
  return { ...world, cursor, attention, agents, messages: trim(messages) };
}

/** What was told before a reconnect may come again, older than what is known since. */
function takeMessage(messages: Map<string, PageMessage>, message: PageMessage): void {
  const known = messages.get(message.id);
  if (!known || known.cursor <= message.cursor) messages.set(message.id, message);
}

/** Of those that have come to rest the oldest go; what is open stays, however old. */
function trim(messages: Map<string, PageMessage>): ReadonlyMap<string, PageMessage> {
  if (messages.size <= mostMessages + slack) return messages;
  const old = [...messages.values()]
    .filter(isAtRest)
    .sort((a, b) => a.cursor - b.cursor)
    .slice(0, messages.size - mostMessages);
  for (const { id } of old) messages.delete(id);
  return messages;
}
