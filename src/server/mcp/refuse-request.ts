import { asObject } from '../../shared/json.ts';
import { quote } from '../../shared/quote.ts';

/** An error of JSON-RPC, and nothing of the request in it. */
interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * What is wrong with a request, or with one of a batch, that the SDK would pass over; undefined:
 * nothing.
 */
export function refuseRequest(message: unknown): Refusal | undefined {
  const requests = (Array.isArray(message) ? message : [message]).map(asObject);
  if (requests.some(isTooLong)) {
    return refuse(
      -32600,
      `An id, a method or a version is longer than ${longestName} characters; nothing was done.`,
    );
  }
  if (requests.some(({ id }) => typeof id === 'number' && !Number.isSafeInteger(id))) {
    return refuse(-32600, 'An id is a text or a whole number below 2^53; nothing was done.');
  }
  const hidden = requests.find(({ params }) => isHidden(asObject(params)['arguments']));
  if (!hidden) return undefined;
  const { name } = asObject(hidden['params']);
  const tool = typeof name === 'string' ? quote(name) : 'The tool';
  return refuse(-32602, `${tool} has no argument "__proto__". Nothing was done.`);
}

/** What an answer of the protocol repeats is bounded like the names in an argument. */
function isTooLong({ jsonrpc, id, method, params }: Readonly<Record<string, unknown>>): boolean {
  const { protocolVersion } = asObject(params);
  return [jsonrpc, id, method, protocolVersion].some(
    (said) => typeof said === 'string' && said.length > longestName,
  );
}

export const longestName = 200;

/**
 * The SDK (@modelcontextprotocol/server 2.4) copies arguments key by key: this one sets a
 * prototype, and is gone without a word.
 */
function isHidden(given: unknown): boolean {
  return Object.hasOwn(asObject(given), '__proto__');
}

function refuse(code: number, message: string): Refusal {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}
