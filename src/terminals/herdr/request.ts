import { connect } from 'node:net';
import { parseJson } from '../../shared/json.ts';
import { OutsideFailure } from '../../shared/report-bug.ts';
import type { Json } from './wire.ts';

/** herdr drops a request that is longer, without a word (0.8.0). */
const maxRequestBytes = 1024 * 1024;
/** A screen, or a snapshot of hundreds of terminals, is far below. */
const maxAnswerBytes = 32 * 1024 * 1024;

export interface Request {
  readonly method: string;
  readonly params?: Json;
  readonly deadlineMs: number;
  /** The answer is not waited for any longer. */
  readonly signal?: AbortSignal;
}

/**
 * `unsent`: there was nobody to ask, nothing was done. `unknown`: the connection broke, or time ran
 * out, after the request had gone: it may have been done. `refused`: herdr answered with an error.
 */
export class HerdrError extends OutsideFailure {
  readonly kind: 'unsent' | 'unknown' | 'refused';
  /**
   * herdr's own, for example `pane_not_found`, or that of the system, for example `ECONNREFUSED`.
   */
  readonly code: string;

  constructor(kind: HerdrError['kind'], code: string, message: string) {
    super(message);
    this.name = 'HerdrError';
    this.kind = kind;
    this.code = code;
  }
}

/**
 * One request on a connection of its own: herdr (0.6.8 to 0.8.0) reads one line, answers one line
 * and closes. The line goes out with the connection itself, since a server that finds no bytes
 * sleeps 100 ms. Our side is never half-closed, and the answer is the one on this connection
 * whatever id it carries: what herdr cannot decode it answers with an empty id.
 */
export function ask(
  socketPath: string,
  { method, params = {}, deadlineMs, signal }: Request,
): Promise<Json> {
  const line = encodeRequest(method, params);
  if (line.length > maxRequestBytes) {
    const text = `the request is ${line.length} bytes long; herdr takes ${maxRequestBytes}`;
    return Promise.reject(new HerdrError('unsent', 'too_long', text));
  }
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    const parts: Buffer[] = [];
    let size = 0;
    let isConnected = false;
    const finish = (end: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      socket.destroy();
      end();
    };
    const fail = (code: string, text: string): void => {
      const kind = isConnected ? 'unknown' : 'unsent';
      finish(() => reject(new HerdrError(kind, code, `${method}: ${text}`)));
    };
    const giveUp = (): void => fail('closed', 'the connection to herdr was closed by us');
    const timer = setTimeout(
      () => fail('deadline', `herdr did not answer within ${deadlineMs} ms`),
      deadlineMs,
    );
    socket.on('connect', () => {
      isConnected = true;
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      fail(error.code ?? 'lost', `herdr cannot be reached (${error.code ?? error.message})`),
    );
    socket.on('close', () => fail('lost', 'herdr closed the connection without an answer'));
    socket.on('data', (part: Buffer) => {
      size += part.length;
      const end = part.indexOf(10);
      if (end < 0 && size <= maxAnswerBytes) return void parts.push(part);
      if (end < 0) return fail('too_long', 'the answer does not end');
      parts.push(part.subarray(0, end));
      const answer = readAnswer(method, Buffer.concat(parts).toString('utf8'));
      finish(() => (answer instanceof Error ? reject(answer) : resolve(answer)));
    });
    socket.write(line);
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted) giveUp();
  });
}

/** `params` is never left out, and the id is a string: anything else is no request to herdr. */
export function encodeRequest(method: string, params: Json): Buffer {
  return Buffer.from(`${JSON.stringify({ id: 'signalbox', method, params })}\n`);
}

function readAnswer(method: string, line: string): Json | HerdrError {
  const answer = parseObject(line);
  const error = answer?.['error'];
  if (isObject(error)) {
    const { code, message } = error;
    return new HerdrError(
      'refused',
      String(code),
      `${method}: ${String(message)} (${String(code)})`,
    );
  }
  const result = answer?.['result'];
  if (isObject(result)) return result;
  return new HerdrError('unknown', 'garbage', `${method}: herdr’s answer cannot be read`);
}

export function parseObject(line: string): Json | undefined {
  const value = parseJson(line);
  return isObject(value) ? value : undefined;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
