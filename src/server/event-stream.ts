import type { EventView } from '../protocol/events.ts';

/** One pull-driven source of server-sent events: nothing is asked for before the client has taken what was sent. */
export interface StreamSource<Item> {
  /** Undefined at the end. */
  next(): Promise<Item | undefined>;
  close(): void;
}

/**
 * An event stream whose memory is bounded by what the socket takes: while a client does not read, nothing is pulled, and the
 * source bounds and marks what is lost meanwhile. A client that goes away closes the source.
 */
export function streamEvents<Item>(
  source: StreamSource<Item>,
  encode: (item: Item) => string,
  signal: AbortSignal,
): Response {
  const encoder = new TextEncoder();
  signal.addEventListener('abort', () => source.close(), { once: true });
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const item = await source.next();
        if (item === undefined) controller.close();
        else controller.enqueue(encoder.encode(encode(item)));
      },
      cancel: () => source.close(),
    },
    // Not one event ahead of the client.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}

/** A gap has a name of its own, so that nobody takes it for an ordinary event. */
export function encodeEvent(view: EventView): string {
  const name = view.topic === 'gap' ? 'event: gap\n' : '';
  const id = view.id === undefined ? '' : `id: ${view.id}\n`;
  return `${name}${id}data: ${JSON.stringify(view)}\n\n`;
}
