import type { EventView } from '../protocol/events.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { maySee, viewEvent, viewFor } from './parts/event-views.ts';
import { QuestionReader } from './parts/read-questions.ts';

/** The events that are still kept, oldest first. No topics mean everything but output. */
export const recentEvents = defineRequest(
  async (
    { live, ledger }: LiveContext,
    caller,
    { topics }: { readonly topics: readonly string[] },
  ): Promise<readonly EventView[]> => {
    const events = live.bus.recent(topics).filter((one) => maySee(caller.agent, one));
    if (caller.kind !== 'agent') return events.map(viewEvent);
    return ledger.read(async (tx) => {
      const reader = new QuestionReader(tx, caller);
      return Promise.all(events.map((one) => viewFor(reader, one)));
    });
  },
);
