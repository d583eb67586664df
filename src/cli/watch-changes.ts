import type { Client } from '../client/client.ts';
import type { EventView } from '../protocol/events.ts';
import { pause, systemClock } from '../shared/clock.ts';

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
  const ask = () => {
    const asked = events.next();
    // Its error is for whoever waits for it; that may be later, or nobody.
    asked.catch(() => undefined);
    return asked;
  };
  let next = ask();
  while (!over.aborted) {
    const enough = new AbortController();
    const end = (): void => enough.abort();
    over.addEventListener('abort', end);
    const woken = await Promise.race([
      next.then(() => 'event' as const),
      pause(systemClock, everyMs, enough.signal).then(() => 'time' as const),
    ]);
    over.removeEventListener('abort', end);
    enough.abort();
    if (over.aborted) return;
    if (woken === 'time') yield woken;
    else {
      const event = await next;
      if (event.done) return;
      next = ask();
      yield event.value;
    }
  }
}

interface Watch {
  readonly topics: readonly string[];
  readonly everyMs: number;
  readonly over: AbortSignal;
}
