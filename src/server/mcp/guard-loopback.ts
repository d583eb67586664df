import { onPort } from '../access.ts';

/**
 * What is said on the port to a request that may not pass; in the words of JSON-RPC, for whoever
 * knocks there speaks that.
 */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Head {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly host?: string | undefined; readonly origin?: string | undefined };
}

/**
 * What stands before the tools on a TCP port, where anybody on this machine and any web page in a
 * browser can knock, besides the token: the address must be spelled as ours (a page that had its
 * name rebound to 127.0.0.1 spells its own), and a browser is refused by the header it cannot leave
 * out. By the head alone. Undefined: it may pass.
 */
export function guardLoopback(
  { method, url = '', headers }: Head,
  port: number,
): Refusal | undefined {
  if (headers.origin !== undefined) return refusal(403, 'Requests of web pages are refused.');
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes((headers.host ?? '').toLowerCase())) {
    return refusal(403, 'The Host header names another server.');
  }
  const [path] = url.split('?');
  if (onPort.has(`${method} ${path}`)) return undefined;
  const isThere = [...onPort].some((route) => route.endsWith(` ${path}`));
  if (isThere) return refusal(405, 'Only POST is served.', { allow: 'POST' });
  return refusal(404, 'There is only /mcp.');
}

export function refusal(
  status: keyof typeof reasons,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  const document = { jsonrpc: '2.0', id: null, error: { code: -32000, message } };
  return { status, reason: reasons[status], headers, body: JSON.stringify(document) };
}

const reasons = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
} as const;
