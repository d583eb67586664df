import type { EventView } from '../protocol/events.ts';
import type { Clock } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { Pending } from '../shared/pending.ts';

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
  { signal, readers, clock }: Surroundings,
): Response {
  const encoder = new TextEncoder();
  const over = new AbortController();
  const leave = readers.enter();
  if (!leave) {
    source.close();
    throw tooMany();
  }
  const end = (): void => {
    leave();
    over.abort();
    source.close();
  };
  // It may have left while its request was judged; then nothing tells it again.
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  let isOpen = false;
  let coming: Pending<Item | undefined> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (text: string): void => controller.enqueue(encoder.encode(text));
        if (!isOpen) {
          isOpen = true;
          return send(`retry: ${retryMs}\n\n`);
        }
        // A failure waits there until it is asked for: meanwhile a comment may be sent.
        coming ??= new Pending(source.next());
        const isThere = await coming.settlesWithin(clock, heartbeatMs, over.signal);
        if (!isThere && !over.signal.aborted) return send(': still here\n\n');
        const { result } = coming;
        coming = undefined;
        const item = await result.catch((error: unknown) => {
          end();
          throw error;
        });
        if (item === undefined) {
          leave();
          over.abort();
          controller.close();
        } else send(encode(item));
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

interface Surroundings {
  /** The client has gone. */
  readonly signal: AbortSignal;
  readonly readers: Readers;
  readonly clock: Clock;
}

/** A client whose stream broke comes again after this time. */
const retryMs = 1000;
/**
 * Without an event for so long, a comment is sent: clients and proxies that give up on a silent
 * connection stay, and one that has gone without a word is found out.
 */
const heartbeatMs = 15_000;

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
