import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { joinSignals } from '../../shared/join-signals.ts';
import { asText, type Json, parseJson, parseObject } from '../../shared/json.ts';
import { readFileTextSync } from '../../shared/open-file.ts';
import { OutsideFailure, reportBug } from '../../shared/report-bug.ts';
import { isMissing } from '../record-files.ts';

/** Where the HTTP server of one OpenCode listens, and the word that lets us in. */
export interface ServerAddress {
  readonly hostname: string;
  readonly port: number;
  readonly password: string;
  /** What the terminal was told to begin a conversation with; the server does not know. */
  readonly model?: string;
  readonly agent?: string;
}

/**
 * In the run folder: the process's environment has the password too, but cannot be read on every
 * platform.
 */
export const serverFile = 'server.json';

/** Undefined where there is none; `unreadable` is to be asked again (rule 41). */
export function findServer(runFolder: string): ServerAddress | 'unreadable' | undefined {
  let text: string;
  try {
    text = readFileTextSync(join(runFolder, serverFile));
  } catch (error) {
    return isMissing(error) ? undefined : 'unreadable';
  }
  const file = parseObject(text) ?? {};
  const hostname = asText(file['hostname']);
  const password = asText(file['password']);
  const port = Number(file['port']);
  if (hostname === undefined || password === undefined || !(port > 0)) return undefined;
  // It listens everywhere: loopback is part of that, and an address to connect to.
  const isEverywhere = hostname === '0.0.0.0' || hostname === '::';
  const model = asText(file['model']);
  const agent = asText(file['agent']);
  return {
    hostname: isEverywhere ? '127.0.0.1' : hostname,
    port,
    password,
    ...(model === undefined ? {} : { model }),
    ...(agent === undefined ? {} : { agent }),
  };
}

/** More than the messages of any turn; a larger answer is refused instead of held. */
const maxBytes = 64 * 1024 * 1024;
/**
 * The server answers within milliseconds, once it is up; a megabyte on a busy machine takes
 * seconds.
 */
const deadlineMs = 20_000;
const headMs = 5000;

export interface Reply {
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
}

/** Throws when there is no answer in time, when it is no success, no JSON or too long. */
export async function askServer(
  address: ServerAddress,
  path: string,
  signal: AbortSignal,
): Promise<Reply> {
  const { signal: bounded, leave } = joinSignals([signal, AbortSignal.timeout(deadlineMs)]);
  try {
    const response = await sendGet(address, path, bounded);
    const body = parseJson(await readBody(path, response));
    if (body === undefined) throw new OutsideFailure(`${path} answers with no JSON`);
    return { body, headers: response.headers };
  } finally {
    leave();
  }
}

/**
 * The response once its head is there; a status other than 200 is an error. While OpenCode starts
 * it takes connections that it never answers (1.18.33), so that the head has a deadline of its own.
 */
export async function sendGet(
  { hostname, port, password }: ServerAddress,
  path: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = { authorization: `Basic ${btoa(`${userName}:${password}`)}` };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent: ClientRequest = request({ hostname, port, path, headers, signal, agent: false });
    const timer = setTimeout(
      () => sent.destroy(new OutsideFailure(`${path} is not answered`)),
      headMs,
    );
    sent.once('response', resolve);
    sent.once('response', () => clearTimeout(timer));
    sent.once('close', () => clearTimeout(timer));
    // Stays for the whole life of the socket: a late reset must not become an exception of the
    // daemon.
    sent.on('error', reject);
    sent.end();
  });
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new OutsideFailure(`${path} answers ${response.statusCode}`);
}

/** What came of one request that may change something. */
export type Exchange =
  | ({ readonly outcome: 'answered'; readonly status: number } & Reply)
  /** No connection came about: nothing has left for the server. */
  | { readonly outcome: 'unsent'; readonly reason: string }
  /** It may have been read, and no answer came. */
  | { readonly outcome: 'lost'; readonly reason: string };

/** One request with an answer of any status, within 5 s; never throws. */
export async function exchange(
  { hostname, port, password }: ServerAddress,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: Json },
): Promise<Exchange> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Basic ${btoa(`${userName}:${password}`)}`,
    ...(text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  };
  let isConnected = false;
  try {
    return await new Promise<Exchange>((resolve, reject) => {
      const signal = AbortSignal.timeout(exchangeMs);
      const sent = request({ hostname, port, path, method, headers, signal, agent: false });
      sent.once('socket', (socket) => socket.once('connect', () => (isConnected = true)));
      sent.on('error', reject);
      sent.once('response', (response) => {
        const { statusCode: status = 0, headers: head } = response;
        readBody(path, response).then(
          (read) => resolve({ outcome: 'answered', status, headers: head, body: parseJson(read) }),
          reject,
        );
      });
      sent.end(text);
    });
  } catch (error) {
    reportBug("a request to OpenCode's server", error);
    const reason = `${method} ${path}: ${error instanceof Error ? error.message : String(error)}`;
    return { outcome: isConnected ? 'lost' : 'unsent', reason };
  }
}

const exchangeMs = 5000;

async function readBody(path: string, response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new OutsideFailure(`${path} answers with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const userName = 'opencode';
