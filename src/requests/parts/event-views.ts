import { type Agent, isUser } from '../../agents/agent.ts';
import type { Published } from '../../events/mailbox.ts';
import type { EventView } from '../../protocol/events.ts';
import { toIso } from '../../protocol/views.ts';
import type { QuestionReader } from './read-questions.ts';

/**
 * As the tools: an agent knows what all agents do, but of messages only its own, and of output only
 * that it printed itself.
 */
export function maySee(caller: Agent, { event }: Published): boolean {
  if (isUser(caller)) return true;
  if (event.kind === 'output') return event.agent === caller.id;
  if (event.kind !== 'message') return true;
  return event.data.from === caller.id || event.data.to === caller.id;
}

export function viewEvent({ id, topic, at, event }: Published): EventView {
  return { ...(id === undefined ? {} : { id }), topic, at: toIso(at), data: viewData(event.data) };
}

/** Without the words of a question that are not for its reader. */
export async function viewFor(reader: QuestionReader, published: Published): Promise<EventView> {
  const view = viewEvent(published);
  const { event } = published;
  const agent = 'agent' in event ? event.agent : undefined;
  return { ...view, data: await reader.data(agent, view.data) };
}

/** Times inside a document are ISO 8601, too. */
export function viewData(data: object): Readonly<Record<string, unknown>> {
  return 'since' in data && typeof data.since === 'number'
    ? { ...data, since: toIso(data.since) }
    : { ...data };
}
