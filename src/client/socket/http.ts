import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { headers, protocolVersion } from '../../protocol/daemon.ts';

/**
 * One request over the daemon's socket. With node:http, not fetch: that takes 26 ms and 34 MB more
 * in a short-lived process.
 */
export interface Call {
  readonly socket: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The id of the agent that asks; undefined for the user. */
  readonly agent?: string | undefined;
  readonly lastEventId?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Answer =
  | { readonly outcome: 'answered'; readonly response: IncomingMessage }
  /** Nobody listens: nothing was asked. */
  | { readonly outcome: 'refused' }
  /** The connection broke after the request was sent: it may have been done or not. */
  | { readonly outcome: 'broken'; readonly error: Error };

/** Resolves with the head of the answer. An abort is `broken`. */
export function call(wanted: Call, signal: AbortSignal): Promise<Answer> {
  const body = wanted.body === undefined ? undefined : Buffer.from(JSON.stringify(wanted.body));
  return new Promise((resolve) => {
    const request: ClientRequest = httpRequest({
      socketPath: wanted.socket,
      method: wanted.method,
      path: wanted.path,
      // A kept connection would keep the process.
      agent: false,
      signal,
      headers: {
        ...wanted.headers,
        host: 'signalbox',
        [headers.protocol]: String(protocolVersion),
        ...(wanted.agent === undefined ? {} : { [headers.agent]: wanted.agent }),
        ...(wanted.lastEventId === undefined ? {} : { 'last-event-id': wanted.lastEventId }),
        ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
      },
    });
    request.on('response', (response) => resolve({ outcome: 'answered', response }));
    request.on('error', (error: NodeJS.ErrnoException) => {
      resolve(isRefused(error) ? { outcome: 'refused' } : { outcome: 'broken', error });
    });
    request.end(body);
  });
}

function isRefused({ code = '', syscall }: NodeJS.ErrnoException): boolean {
  if (['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(code)) return true;
  // A daemon that dies resets whoever waits to be let in: nothing of the request has been written.
  return code === 'ECONNRESET' && syscall === 'connect';
}

export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Server-sent events, as the `data` of each. Ends when the server ends it, or with the connection.
 */
export async function* readStream(response: IncomingMessage): AsyncGenerator<string, void> {
  response.setEncoding('utf8');
  let text = '';
  try {
    for await (const chunk of response) {
      text += chunk as string;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        // Only a line feed ends a line here: JSON holds U+2028 as it is, and `.` stops there.
        const data = /(?:^|\n)data: ([^\n]*)/.exec(text.slice(0, end))?.[1];
        text = text.slice(end + 2);
        if (data !== undefined) yield data;
      }
    }
  } catch {
    // The connection broke. Whoever follows decides what that means.
  } finally {
    response.destroy();
  }
}
