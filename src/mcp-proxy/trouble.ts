/**
 * What the proxy itself has to say: to the client as a JSON-RPC error, to a model that called a
 * tool as that tool's result.
 */

export type Id = string | number;

export interface Request {
  readonly id: Id;
  readonly method: string;
  readonly params?: unknown;
}

export const noDaemon =
  'The signalbox daemon does not run; nothing was done. Run `signalbox up` in a shell, or ask the user to, and call again.';

export const sayBroken =
  'The connection to the signalbox daemon broke before it answered: it may have been done or not. ' +
  'Call again, with the same `key` if you gave one; if that fails too, run `signalbox up` in a shell.';

export const notUtf8 = 'The request is not valid UTF-8; nothing was done. Send it as UTF-8.';

const longestId = 200;

export const badId = `An id is a text of at most ${longestId} characters or a whole number; nothing was done.`;

export const inputEnded =
  'The client’s input ended while this was under way: it may have been done or not. What is answered later arrives as a message.';

/** The same sentence for whoever can act on it. */
export function refuse(request: Request, sentence: string): object {
  const { id, method } = request;
  if (method !== 'tools/call') return writeError(id, -32000, sentence);
  const result = { content: [{ type: 'text', text: sentence }], isError: true };
  return {
    jsonrpc: '2.0',
    id,
    result: isModern(request) ? { ...result, resultType: 'complete' } : result,
  };
}

export function writeError(id: Id | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** A fault of the daemon's: what happened, and what to do next. */
export function describeRefusal(document: unknown): string {
  const error = isObject(document) ? document['error'] : undefined;
  if (!isObject(error)) return 'The signalbox daemon gave an answer that is not understood.';
  return [error['message'], error['next']].filter((part) => typeof part === 'string').join(' ');
}

/** Whose it was stands near one of its ends, whichever way the client writes its requests. */
export function describeTooLong({ head, tail }: { head: string; tail: string }): object {
  const id = '"id"\\s*:\\s*("(?:[^"\\\\]){1,200}"|-?\\d{1,16})';
  const [, found] =
    new RegExp(`^\\s*\\{(?:\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"]*"\\s*,)*\\s*${id}`).exec(head) ??
    new RegExp(`,\\s*${id}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2.0"\\s*)?\\}\\s*$`).exec(tail) ??
    [];
  return writeError(
    found === undefined ? null : JSON.parse(found),
    -32600,
    'The request is too long; nothing was done. Send less: long texts belong into a file whose path is sent.',
  );
}

/** One that an answer can repeat as it was: a number beyond 2^53 would come back as another. */
export function isId(value: unknown): value is Id {
  if (typeof value === 'string') return value.length <= longestId;
  return typeof value === 'number' && Number.isSafeInteger(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** From 2026-07-28 on a request names its version, and a result its type. */
function isModern({ params }: Request): boolean {
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) && 'io.modelcontextprotocol/protocolVersion' in meta;
}
