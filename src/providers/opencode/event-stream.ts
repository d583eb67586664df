import { reportBug } from '../../shared/report-bug.ts';
import { EventReader, type ServerEvent } from './event-reader.ts';
import { Pauses } from './pauses.ts';
import { type ServerAddress, sendGet } from './server.ts';

export interface StreamParts {
  /** The signal ends with the connection that told it. */
  readonly onEvent: (event: ServerEvent, signal: AbortSignal) => void;
  /** The connection is gone, or did not come about; another one follows. */
  readonly onLost?: () => void;
  /** How it reads what comes. */
  readonly createReader?: () => EventReader;
}

/** The server says something every 10 s (1.18.33); a stream that is silent for longer is broken. */
const silenceMs = 35_000;

/**
 * The server's stream of events, connected again with back-off whenever it ends. It never throws,
 * and dies with `close`.
 */
export class EventStream {
  readonly #address: ServerAddress;
  readonly #parts: StreamParts;
  #timer: NodeJS.Timeout | undefined;
  readonly #pauses = new Pauses();
  #connection: AbortController | undefined;
  #isClosed = false;

  constructor(address: ServerAddress, parts: StreamParts) {
    this.#address = address;
    this.#parts = parts;
  }

  open(): void {
    this.#schedule(0);
  }

  /** It lives, so that a server which did not answer yet may do so now. */
  hurry(): void {
    if (this.#connection || this.#pauses.isShort) return;
    this.#pauses.beginAnew();
    this.#schedule(this.#pauses.next());
  }

  /** The connection has proven good: the next one need not wait (B11). */
  praise(): void {
    this.#pauses.succeed();
  }

  /** Something is wrong with this connection: a new one. */
  reconnect(): void {
    this.#connection?.abort();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#connection?.abort();
  }

  #schedule(inMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#connect();
    }, inMs);
    this.#timer.unref();
  }

  /** One connection from its beginning to its end, whatever that is. */
  async #connect(): Promise<void> {
    const connection = new AbortController();
    this.#connection = connection;
    try {
      const stream = await sendGet(this.#address, '/event', connection.signal);
      stream.socket.setTimeout(silenceMs, () => connection.abort());
      stream.socket.unref();
      const reader = this.#parts.createReader?.() ?? new EventReader();
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        for (const event of reader.take(chunk)) this.#parts.onEvent(event, connection.signal);
      }
    } catch (error) {
      // Not up yet, gone, or not ours to talk to: all of that is one thing here.
      reportBug("reading OpenCode's events", error);
    }
    connection.abort();
    this.#connection = undefined;
    if (this.#isClosed) return;
    this.#parts.onLost?.();
    this.#schedule(this.#pauses.next());
  }
}
