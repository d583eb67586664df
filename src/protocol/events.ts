import type { Document } from './schemas/document.ts';
import type { eventListSchema, eventSchema } from './schemas/events.ts';

/**
 * One event on the wire, in an event stream or as a line of NDJSON. `topic` is `gap` where events
 * were lost or the stream begins anew: the current status of every agent follows, and messages are
 * read from the ledger.
 */
export type EventView = Document<typeof eventSchema>;

export type EventList = Document<typeof eventListSchema>;
