import type { Client } from '../client/client.ts';
import type { EventView } from '../protocol/events.ts';
import { systemClock } from '../shared/clock.ts';
import { Pending } from '../shared/pending.ts';

export type Change = EventView | 'time';

/**
 * For live views: something happened to an agent, or so long has passed, since ages grow by
 * themselves. Ends with `over`, or with the events.
 */
export async function* watchChanges(
  client: Client,
  { topics, everyMs, over }: Watch,
): AsyncGenerator<Change, void> {
  if (over.aborted) return;
  const events = client.watchEvents(topics, over)[Symbol.asyncIterator]();
  let next = new Pending(events.next());
  while (!over.aborted) {
    const isSettled = await next.settlesWithin(systemClock, everyMs, over);
    if (over.aborted) return;
    if (isSettled) {
      const event = await next.result;
      if (event.done) return;
      next = new Pending(events.next());
      yield event.value;
    } else yield 'time';
  }
}

interface Watch {
  readonly topics: readonly string[];
  readonly everyMs: number;
  readonly over: AbortSignal;
}
