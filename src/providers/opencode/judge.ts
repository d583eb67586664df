import { asArray, asObject, asText } from '../../shared/json.ts';
import type { Finding } from '../way-in.ts';
import { isOutput } from './spoken.ts';

/** One message of a session, as far as evidence needs it. */
export interface MessageFact {
  readonly id: string;
  readonly isUser: boolean;
  /** Of a step of the model: the newest prompt that its request held. */
  readonly parent: string | undefined;
  /**
   * The first thing that the model said, thought or called in it (rule 43). Without one it was
   * asked for, or failed; that a step of it began is told of an empty answer, too (1.18.33).
   */
  readonly output: string | undefined;
  readonly isSummary: boolean;
  /** From here on an earlier part of the conversation may be in requests as a summary only. */
  readonly compacts: boolean;
  readonly error: string | undefined;
}

export function readFact(raw: unknown): MessageFact | undefined {
  const { info, parts } = asObject(raw);
  const { id, role, parentID, summary, error } = asObject(info);
  const name = asText(id);
  if (name === undefined) return undefined;
  const all = asArray(parts).map(asObject);
  return {
    id: name,
    isUser: role === 'user',
    parent: role === 'assistant' ? asText(parentID) : undefined,
    output: role === 'assistant' ? asText(all.find(isOutput)?.['type']) : undefined,
    isSummary: summary === true,
    compacts: role === 'user' && all.some(({ type }) => type === 'compaction'),
    error: error === undefined ? undefined : (asText(asObject(error)['name']) ?? 'an error'),
  };
}

/**
 * What a session's messages, the oldest first, say about one of them. A step of the model names the
 * newest prompt that its request held, and a request holds all that came before that one. So a step
 * proves the prompt that it names, and the earlier ones. Being later is not enough: a prompt that
 * comes while a request is put together is older than that step, and not in it.
 */
export function judgeMessage(
  messages: readonly MessageFact[],
  id: string,
  session: string,
): Finding {
  const at = messages.findIndex((message) => message.id === id);
  if (at < 0) return { found: 'none', evidence: `no message ${id} in session ${session}` };
  const later = messages.slice(at + 1);
  const answering = new Set([id]);
  let isWhole = true;
  for (const message of later) {
    if (message.compacts) isWhole = false;
    if (message.isUser && isWhole) answering.add(message.id);
    const isAnswer = message.output !== undefined && !message.isSummary;
    if (isAnswer && message.parent !== undefined && answering.has(message.parent)) {
      const evidence = `${message.output} of assistant message ${message.id}, which answers user message ${message.parent}`;
      const through = message.parent === id ? '' : `, sent after user message ${id}`;
      return { found: 'seen', evidence: `${evidence}${through}, in session ${session}` };
    }
  }
  const failed = later.find(({ parent, error }) => parent === id && error !== undefined);
  const reason = failed ? `; assistant message ${failed.id} ended with ${failed.error}` : '';
  const isInterrupted = later.some(
    ({ parent = '', error }) => answering.has(parent) && error === 'MessageAbortedError',
  );
  return {
    found: 'landed',
    evidence: `user message ${id} in session ${session}, no output of the model for it yet${reason}`,
    ...(isInterrupted ? { isInterrupted } : {}),
  };
}
