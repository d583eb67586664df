/**
 * What stands before the tools on a TCP port, where anybody on this machine and any web page in a browser can knock: the
 * address must be spelled as ours (a page that had its name rebound to 127.0.0.1 spells its own), a browser is refused by the
 * header it cannot leave out, and every request shows a token. Undefined: it may pass.
 */
export function guardLoopback(request: Request, port: number): Response | undefined {
  const { headers, method, url } = request;
  if (headers.has('origin')) return refuse(403, 'Requests of web pages are refused.');
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes((headers.get('host') ?? '').toLowerCase())) {
    return refuse(403, 'The Host header names another server.');
  }
  if (new URL(url).pathname !== '/mcp') return refuse(404, 'There is only /mcp.');
  if (method !== 'POST') return refuse(405, 'Only POST is served.', { allow: 'POST' });
  if (!headers.has('authorization')) return refuse(401, 'Show the token of an agent.');
  return undefined;
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32000, message } },
    { status, headers },
  );
}
