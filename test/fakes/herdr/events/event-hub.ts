/** As it stands in the hub: named with underscores, in the order of what happened. */
export interface HubEvent {
  readonly sequence: number;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Events of all kinds together that herdr retains; a burst beyond it loses the oldest without a
 * word.
 */
const retained = 512;

export class EventHub {
  readonly #events: HubEvent[] = [];
  #sequence = 0;

  /** The sequence of the latest event. */
  get sequence(): number {
    return this.#sequence;
  }

  emit(event: string, data: Readonly<Record<string, unknown>>): void {
    this.#events.push({ sequence: ++this.#sequence, event, data });
    if (this.#events.length > retained) this.#events.shift();
  }

  /** The latest ones once more, as if they had just happened. */
  repeat(count = retained): void {
    for (const { event, data } of this.#events.slice(-count)) this.emit(event, data);
  }

  after(sequence: number, wanted: (event: HubEvent) => boolean): HubEvent | undefined {
    return this.#events.find((event) => event.sequence > sequence && wanted(event));
  }
}
