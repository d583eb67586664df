import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** A reader that has taken no byte of what waits for it for so long does not read. */
const stallMs = 30_000;

/**
 * Sends an answer that may last for days. @hono/node-server 2.1.6 makes every read of a body wait for the next one, so that
 * nothing of what it sent is let go before the stream ends: 0.1 KB for each event, for each client. A reader that does not read is
 * cut off: what waits for it would stay for as long as it does. One that follows comes again, and is told what it missed.
 */
export function sendStream(
  response: Response,
  outgoing: ServerResponse,
  patienceMs = stallMs,
): Response {
  // Told also of a connection on which nothing is to be sent; a slow reader puts it off by each byte.
  outgoing.setTimeout(patienceMs, () => {
    if (outgoing.writableLength > 0 || outgoing.writableNeedDrain) outgoing.destroy();
  });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  // Not waited for. A source that fails is a bug, which the daemon logs like all that nobody caught.
  if (response.body) void pump(response.body, outgoing);
  else outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

export function isStream(response: Response): boolean {
  return response.headers.get('content-type') === 'text/event-stream';
}

async function pump(body: ReadableStream, outgoing: ServerResponse): Promise<void> {
  try {
    await pipeline(body, outgoing);
  } catch (error) {
    if (!farewells.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

/** Of a client that went away. */
const farewells = new Set<string | undefined>([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNRESET',
  'EPIPE',
]);
