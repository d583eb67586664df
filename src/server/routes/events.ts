import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Caller } from '../../agents/caller.ts';
import { topicForm } from '../../events/topics.ts';
import { neutraliseDocument } from '../../messages/neutralise-document.ts';
import type { EventView } from '../../protocol/events.ts';
import { eventListSchema } from '../../protocol/schemas/events.ts';
import type { LiveContext } from '../../requests/context.ts';
import { followEvents } from '../../requests/follow-events.ts';
import { recentEvents } from '../../requests/recent-events.ts';
import { describeRoute, events, header, json, orFault } from '../describe-route.ts';
import { encodeEvent, type Readers, streamEvents } from '../event-stream.ts';
import { findCaller } from '../find-caller.ts';

/** What happens, as it happens or as it was kept. */
export function addEventRoutes(app: OpenAPIHono, context: LiveContext, readers: Readers): void {
  app.openapi(recent, async (c) => {
    const caller = await findCaller(context, c);
    const events = await recentEvents(context, caller, { topics: c.req.valid('query').topic });
    return c.json({ events: events.map((event) => viewFor(caller, event)) }, 200);
  });

  app.openapi(follow, async (c) => {
    const caller = await findCaller(context, c);
    const wish = { topics: c.req.valid('query').topic, last: c.req.header('last-event-id') };
    const feed = await followEvents(context, caller, wish);
    const encode = (event: EventView) => encodeEvent(viewFor(caller, event));
    const { clock } = context.surroundings;
    return streamEvents(feed, encode, { signal: c.req.raw.signal, readers, clock });
  });
}

/** Details are words of others (rule 47). */
function viewFor({ kind }: Caller, view: EventView): EventView {
  return kind === 'agent' ? { ...view, data: neutraliseDocument(view.data) } : view;
}

const query = z.object({
  topic: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((given) => (given === undefined ? [] : [given].flat()))
    .openapi({
      type: 'array',
      items: { type: 'string', pattern: topicForm.source },
      description: 'Patterns such as agent.*.status; none means everything but output.',
    }),
});

const recent = describeRoute({
  operationId: 'listEvents',
  method: 'get',
  path: '/events/recent',
  summary: 'The events that are still kept.',
  request: { query },
  responses: { 200: json(eventListSchema, 'Oldest first.'), ...orFault },
});

const follow = describeRoute(
  {
    operationId: 'followEvents',
    method: 'get',
    path: '/events',
    summary: 'Events from now on, or from Last-Event-ID on, as server-sent events.',
    request: { query },
    responses: {
      200: {
        description:
          'Each `data` is one event; `event: gap` says that some were lost. A comment comes every 15 s.',
        content: events({ $ref: '#/components/schemas/Event' }),
      },
      ...orFault,
    },
  },
  [header('last-event-id', 'The last event that the client saw; the stream goes on after it.')],
);
