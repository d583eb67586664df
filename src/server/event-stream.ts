import type { EventView } from '../protocol/events.ts';
import { Fault } from '../shared/fault.ts';

/**
 * One pull-driven source of server-sent events: nothing is asked for before the client has taken
 * what was sent.
 */
export interface StreamSource<Item> {
  /** Undefined at the end. */
  next(): Promise<Item | undefined>;
  close(): void;
}

/**
 * An event stream whose memory is bounded by what the socket takes: while a client does not read,
 * nothing is pulled, and the source bounds and marks what is lost meanwhile. A client that goes
 * away closes the source.
 */
export function streamEvents<Item>(
  source: StreamSource<Item>,
  encode: (item: Item) => string,
  signal: AbortSignal,
  readers: Readers,
): Response {
  const encoder = new TextEncoder();
  const leave = readers.enter();
  if (!leave) {
    source.close();
    throw tooMany();
  }
  const end = (): void => {
    leave();
    source.close();
  };
  // It may have left while its request was judged; then nothing tells it again.
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const item = await source.next().catch((error: unknown) => {
          end();
          throw error;
        });
        if (item === undefined) {
          leave();
          controller.close();
        } else controller.enqueue(encoder.encode(encode(item)));
      },
      cancel: end,
    },
    // Not one event ahead of the client.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}

/**
 * Those who follow something; each holds what it has not taken, so there are not endlessly many.
 */
export class Readers {
  readonly #most: number;
  #open = 0;

  constructor(most = 128) {
    this.#most = most;
  }

  /** Returns the end of its stay, which counts once; undefined: there is no place. */
  enter(): (() => void) | undefined {
    if (this.#open >= this.#most) return undefined;
    this.#open++;
    let isIn = true;
    return () => {
      if (isIn) this.#open--;
      isIn = false;
    };
  }
}

function tooMany(): Fault {
  return new Fault(
    'too-many',
    'Too many readers follow events or output already.',
    'End some of them (`signalbox events --follow`, `signalbox output --follow`), then try again.',
  );
}

/** A gap has a name of its own, so that nobody takes it for an ordinary event. */
export function encodeEvent(view: EventView): string {
  const name = view.topic === 'gap' ? 'event: gap\n' : '';
  const id = view.id === undefined ? '' : `id: ${view.id}\n`;
  return `${name}${id}data: ${JSON.stringify(view)}\n\n`;
}
