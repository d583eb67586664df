import type { IncomingMessage } from 'node:http';

/**
 * Whoever is still sending when it is refused would get a reset for an answer; so much, and so
 * long, is read into the void.
 */
const discardBytes = 64 * 1024;
const discardMs = 500;

/** What a request of a port is refused with; JSON. */
export interface RawRefusal {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Raw, and the end of the connection: nothing of ours has seen the request, and its body is not
 * wanted.
 */
export function refuseRaw(
  incoming: IncomingMessage,
  { status, reason, body, headers }: RawRefusal,
): void {
  const { socket } = incoming;
  const lines = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), discardMs);
  socket.once('close', () => clearTimeout(timer));
  let discarded = 0;
  incoming.on('error', () => undefined);
  incoming.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > discardBytes) socket.destroy();
  });
  incoming.once('end', () => socket.destroySoon());
}
