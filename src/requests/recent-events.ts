import type { EventView } from '../protocol/events.ts';
import type { LiveContext } from './context.ts';
import { defineRequest } from './define.ts';
import { maySee, viewEvent } from './parts/event-views.ts';

/** The events that are still kept, oldest first. No topics mean everything but output. */
export const recentEvents = defineRequest(
  async (
    { live }: LiveContext,
    { agent },
    { topics }: { readonly topics: readonly string[] },
  ): Promise<readonly EventView[]> =>
    live.bus
      .recent(topics)
      .filter((one) => maySee(agent, one))
      .map(viewEvent),
);
