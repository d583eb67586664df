/**
 * One event on the wire, in an event stream or as a line of NDJSON. `topic` is `gap` where events
 * were lost or the stream begins anew: the current status of every agent follows, and messages are
 * read from the ledger.
 */
export interface EventView {
  /** For Last-Event-ID. Output has none: it cannot be replayed. */
  readonly id?: string;
  readonly topic: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventList {
  readonly events: readonly EventView[];
}
