import { asArray, asObject, asText } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { AgentContext, Answer } from '../provider.ts';
import { readMessage } from './messages.ts';
import { askServer, findServer, type ServerAddress } from './server.ts';

/**
 * Of messages, asked for at once: an answer is among the last ones, and each may hold a tool's
 * output.
 */
const pageSize = 10;
/** A turn of more steps than this without a word has said nothing. */
const mostPages = 200;

/**
 * The last answer of the current conversation, from the server; undefined when there is no
 * conversation or no server.
 */
export async function readLastAnswer(
  { runFolder, conversation }: AgentContext,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const address = findServer(runFolder);
  if (!address || address === 'unreadable' || conversation === undefined) return undefined;
  try {
    const { body } = await askServer(address, '/session/status', signal);
    const isAtWork = asObject(body)[conversation] !== undefined;
    return await findAnswer(readBackwards(address, conversation, signal), isAtWork);
  } catch (error) {
    // It does not answer (any more): what the terminal holds must do.
    reportBug("asking OpenCode's server for an answer", error);
    signal.throwIfAborted();
    return undefined;
  }
}

/**
 * From the newest message back. A turn under way that has said nothing yet is passed over: the
 * answer before it still is the last one. A turn that ended without text is `no-response`; what
 * stands in one that goes on is `isPartial`.
 */
export async function findAnswer(
  messages: AsyncIterable<unknown>,
  isAtWork: boolean,
): Promise<Answer> {
  let isInLastTurn = true;
  let hasWorked = false;
  let earlier: { readonly isEarlier?: true } = {};
  for await (const raw of messages) {
    const message = readMessage(raw);
    if (message?.kind === 'work') hasWorked = true;
    if (message?.kind === 'text') {
      const isPartial = isAtWork && isInLastTurn && !message.isFinal;
      return { kind: 'answer', text: message.text, isPartial, ...earlier };
    }
    if (message?.kind !== 'prompt') continue;
    if (hasWorked && !(isAtWork && isInLastTurn)) return { kind: 'no-response' };
    // A prompt without anything below it waits for its turn, or was broken off before one began.
    isInLastTurn = !hasWorked && isInLastTurn;
    hasWorked = false;
    earlier = { isEarlier: true };
  }
  return { kind: 'no-response' };
}

async function* readBackwards(
  address: ServerAddress,
  conversation: string,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const path = `/session/${encodeURIComponent(conversation)}/message?limit=${pageSize}`;
  let before = '';
  for (let page = 0; page < mostPages; page++) {
    const { body, headers } = await askServer(address, `${path}${before}`, signal);
    yield* asArray(body).toReversed();
    const next = asText(headers['x-next-cursor']);
    if (next === undefined) return;
    before = `&before=${encodeURIComponent(next)}`;
  }
}
