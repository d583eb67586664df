import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** A reader that has taken no byte of what waits for it for so long does not read. */
const stallMs = 30_000;

/**
 * Sends an answer that may last for days. @hono/node-server 2.1.6 makes every read of a body wait
 * for the next one, so that nothing of what it sent is let go before the stream ends: 0.1 KB for
 * each event, for each client. A reader that does not read is cut off: what waits for it would stay
 * for as long as it does. One that follows comes again, and is told what it missed.
 */
export function sendStream(
  response: Response,
  outgoing: ServerResponse,
  patienceMs = stallMs,
): Response {
  if (outgoing.destroyed) return dropAnswer(response);
  // Told also of a connection on which nothing is to be sent; a slow reader puts it off by each
  // byte.
  outgoing.setTimeout(patienceMs, () => {
    if (outgoing.writableLength > 0 || outgoing.writableNeedDrain) outgoing.destroy();
  });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  // Not waited for. A source that fails is a bug, which the daemon logs like all that nobody
  // caught.
  if (response.body) void pump(response.body, outgoing);
  else outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

/**
 * For a client that left before its answer began. Its connection has told its end already, and
 * nothing that is written to it tells it again: unless the body is cancelled here, its source is
 * never closed, or counts as read to its end.
 */
export function dropAnswer({ body }: Response): Response {
  // Not waited for, like a source that fails.
  void body?.cancel();
  return RESPONSE_ALREADY_SENT;
}

export function isStream(response: Response): boolean {
  return response.headers.get('content-type') === 'text/event-stream';
}

/**
 * By hand: `pipeline` of Node 20.20 tells a stream of the web that its reader has gone only with
 * the next piece, and hangs when the reader had gone before.
 */
async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  // Also ends the read that is under way.
  const leave = (): void => void reader.cancel();
  outgoing.once('close', leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await drained(outgoing);
    }
    if (!outgoing.destroyed) outgoing.end();
  } catch (error) {
    outgoing.off('close', leave);
    // The client sees that it is not whole.
    outgoing.destroy();
    throw error;
  }
}

/** Or closed. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      outgoing.off('drain', go).off('close', go);
      resolve();
    };
    outgoing.once('drain', go).once('close', go);
  });
}
